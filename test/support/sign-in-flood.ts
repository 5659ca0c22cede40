import type { TestApp } from "./app.ts";
import { basic } from "./sign-in.ts";

const MINUTE_MS = 60_000;
const AT_ONCE = 100;

export type Flood = { addresses: number; rounds: number; name: string };

/**
 * Sends wrong passwords for the user `name` from many addresses: one per address in each round, which lasts a minute. Calls `between` in
 * the middle of each round. Returns how many passwords were compared and how many were refused.
 */
export async function floodSignIn(service: TestApp, { addresses, rounds, name }: Flood, between: () => Promise<void>): Promise<number> {
  let failures = 0;
  for (let round = 0; round < rounds; round++) {
    for (let from = 0; from < addresses; from += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, addresses - from) }, (_, index) => fail(service, name, from + index));
      failures += (await Promise.all(batch)).filter((status) => status === 401).length;
      if (from === Math.floor(addresses / 2 / AT_ONCE) * AT_ONCE) await between();
    }
    service.clock.set(service.clock.now() + MINUTE_MS + 1_000);
  }
  return failures;
}

async function fail(service: TestApp, name: string, index: number): Promise<number> {
  const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const headers = { accept: "application/json", "x-forwarded-for": address, ...basic(`a wrong guess ${index}`, name) };
  return (await service.inject({ url: "/property", headers })).statusCode;
}
