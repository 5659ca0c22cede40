import { BlockList, isIP } from "node:net";

/** Special-purpose IPv4 addresses: https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and reserved ones. */
const NOT_GLOBAL_4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Those within the one part of IPv6 that is given out, 2000::/3: https://www.iana.org/assignments/iana-ipv6-special-registry */
const NOT_GLOBAL_6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, bits] of NOT_GLOBAL_4) refused.addSubnet(network, bits, "ipv4");
for (const [network, bits] of NOT_GLOBAL_6) refused.addSubnet(network, bits, "ipv6");
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");

/** Whether an address is one of the public network, not of this machine, its own networks, or what leads into them. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, "ipv4");
  return version === 6 && givenOut.check(address, "ipv6") && !refused.check(address, "ipv6");
}
