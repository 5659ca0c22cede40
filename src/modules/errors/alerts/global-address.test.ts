import assert from "node:assert/strict";
import { test } from "node:test";
import { isGlobalAddress } from "./global-address.ts";

test("only addresses of the public network are global", () => {
  const isGlobal = ["1.1.1.1", "172.32.0.1", "2606:4700:4700::1111"];
  const isNone = ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "255.255.255.255"];
  const isNoneOfIpv6 = ["::1", "::ffff:10.1.2.3", "fd00::1", "fe80::1", "ff02::1", "2001:db8::1", "2002:a01:203::1", "64:ff9b::a01:203"];
  for (const address of isGlobal) assert.ok(isGlobalAddress(address), address);
  for (const address of [...isNone, ...isNoneOfIpv6, "example.com", ""]) assert.ok(!isGlobalAddress(address), address);
});
