import { isIP } from "node:net";
import { networks } from "../../web/guard/networks.ts";

/** Every block of https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and the reserved end. */
const SPECIAL_4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Blocks of https://www.iana.org/assignments/iana-ipv6-special-registry within 2000::/3; 3ffe::/16 was given back. */
const SPECIAL_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"];
/** Look public, but lead to a cloud's own services: Azure's wire server (metadata, DNS) and IBM's private endpoints. */
const CLOUDS = ["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14"];

const isSpecial = networks([...SPECIAL_4, ...SPECIAL_6, ...CLOUDS]);
/** The only part of IPv6 that is assigned to the public internet. */
const isAssigned = networks(["2000::/3"]);

/** Whether an address belongs to the public internet, not to this machine, a private network or a way into one. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !isSpecial(address) && (version === 4 || isAssigned(address));
}
