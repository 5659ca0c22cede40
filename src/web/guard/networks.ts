import { BlockList, isIP } from "node:net";

/** Tells whether an address is one of `list`, or in one of its networks like `10.0.0.0/8`. An IPv4 address may come as one of IPv6. */
export function networks(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList();
  for (const one of list) {
    const [address = "", bits] = one.split("/");
    if (bits === undefined) known.addAddress(address, familyOf(address));
    else known.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address = "") => isIP(address) !== 0 && known.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
