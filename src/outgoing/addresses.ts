import { isIP } from "node:net";
import { createNetworkMatcher } from "../web/guard/networks.ts";

/** All blocks of https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and reserved addresses. */
const SPECIAL_IPV4_NETWORKS = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Blocks in https://www.iana.org/assignments/iana-ipv6-special-registry within 2000::/3, and 3ffe::/16, which is no longer assigned. */
const SPECIAL_IPV6_NETWORKS = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"];
/** Public addresses of cloud providers' internal services: Azure's wire server (metadata, DNS) and IBM's private endpoints. */
const CLOUD_SERVICE_NETWORKS = ["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14"];

const isSpecialAddress = createNetworkMatcher([...SPECIAL_IPV4_NETWORKS, ...SPECIAL_IPV6_NETWORKS, ...CLOUD_SERVICE_NETWORKS]);
const isAssignedAddress = createNetworkMatcher(["2000::/3"]);

export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !isSpecialAddress(address) && (version === 4 || isAssignedAddress(address));
}

export type AddressRule = {
  /** Whether calls may go to this IP address. */
  isAllowed(address: string): boolean;
  /** Whether calls to this IP address may use plain HTTP. */
  isTrusted(address: string): boolean;
};

/** Allows calls to public addresses and the networks listed in the settings. Only calls to these networks may use plain HTTP. */
export function addressRule(allowed: readonly string[]): AddressRule {
  const isTrusted = createNetworkMatcher(allowed);
  return { isTrusted, isAllowed: (address) => isTrusted(address) || isGlobalAddress(address) };
}
