import { isIP } from "node:net";
import { networks } from "../../../web/guard/networks.ts";

/** Special-purpose IPv4 addresses: https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and reserved ones. */
const SPECIAL_4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Those within the one part of IPv6 that is given out, 2000::/3: https://www.iana.org/assignments/iana-ipv6-special-registry */
const SPECIAL_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const isSpecial = networks([...SPECIAL_4, ...SPECIAL_6]);
const isGivenOut = networks(["2000::/3"]);

/** Whether an address is one of the public network, not of this machine, its own networks, or what leads into them. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !isSpecial(address) && (version === 4 || isGivenOut(address));
}
