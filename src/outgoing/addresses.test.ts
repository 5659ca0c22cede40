import assert from "node:assert/strict";
import { test } from "node:test";
import { isGlobalAddress } from "./addresses.ts";

/** First and last address of every block in the IANA special-purpose registries, and of multicast and unassigned space. */
const IPV4_BLOCKS = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0", "127.255.255.255"],
  ...["169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.0", "192.0.2.255"],
  ...["192.31.196.0", "192.31.196.255", "192.52.193.0", "192.52.193.255", "192.88.99.0", "192.88.99.255", "192.168.0.0"],
  ...["192.168.255.255", "192.175.48.0", "192.175.48.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255"],
  ...["203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"],
];
const IPV6_BLOCKS = [
  ...["::", "::1", "::ffff:0.0.0.0", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "64:ff9b:1::1", "100::1", "100:0:0:1::1"],
  ...["2001::", "2001:1ff:ffff::1", "2001:db8::", "2001:db8:ffff::1", "2002::", "2002:a01:203::1", "2620:4f:8000::1"],
  ...["3ffe::1", "3fff::", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"],
];
/** Internal services of cloud providers: instance metadata, DNS, APIs. */
const CLOUD_ADDRESSES = [
  ...["169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "192.0.0.192", "161.26.0.10", "166.8.0.1", "166.11.255.255"],
  ...["fd00:ec2::254", "fd20:ce::254", "fd00:42::42"],
];

test("private, special-purpose and cloud-internal addresses are not global", () => {
  for (const address of [...IPV4_BLOCKS, ...IPV6_BLOCKS, ...CLOUD_ADDRESSES, "example.com", "1.1.1", "0x7f.1", ""])
    assert.equal(isGlobalAddress(address), false, address);
});

test("addresses next to special-purpose blocks are global", () => {
  const ipv4 = ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.32.0.1", "168.63.129.15", "192.0.1.0"];
  const ipv6 = ["2001:200::1", "2606:4700:4700::1111", "2620:4f:8001::1", "2a00:1450:4001::1"];
  for (const address of [...ipv4, "192.167.255.255", "198.17.255.255", "223.255.255.255", ...ipv6])
    assert.equal(isGlobalAddress(address), true, address);
});
