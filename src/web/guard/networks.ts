import { BlockList, isIP } from "node:net";

/** Tells whether an address is one of `list`, or in one of its networks like `10.0.0.0/8`. An IPv4 address may come as one of IPv6. */
export function networks(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList();
  for (const one of list) {
    const [address = "", bits] = one.split("/");
    if (bits === undefined) known.addAddress(address, familyOf(address));
    else known.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address = "") => {
    const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
    return isIP(plain) !== 0 && known.check(plain, familyOf(plain));
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
