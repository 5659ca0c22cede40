import { stopwatch } from "../../src/clock.ts";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { floodSignIn } from "../../test/support/sign-in-flood.ts";
import { ADMIN_PASSWORD, basic } from "../../test/support/sign-in.ts";

/**
 * Fails 100,000 sign-ins from 10,000 addresses within 10 minutes, using a clock that is advanced manually. An administrator signs in from a
 * new address every minute.
 *
 * Usage: node --expose-gc bench/attacks/sign-in-flood.ts
 */
const ADDRESSES = 10_000;
const ROUNDS = 10;

await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, TRUST_PROXY: "127.0.0.1" } });

const elapsed = stopwatch();
const heap: string[] = [];
const admin: number[] = [];
const failures = await floodSignIn(service, { addresses: ADDRESSES, rounds: ROUNDS, name: "admin" }, async () => {
  admin.push(await signIn(service, `198.51.100.${admin.length}`));
  globalThis.gc?.();
  heap.push((process.memoryUsage().heapUsed / 2 ** 20).toFixed(0));
});
const rows = await service.database.read.selectFrom("sign_in").select("key").execute();
console.log(`${failures} failures in ${(elapsed() / 1000).toFixed(0)} s; the administrator got ${admin.join(", ")}`);
console.log(`heap in each minute ${heap.join(", ")} MB; ${rows.length} rows`);

async function signIn(to: TestApp, address: string): Promise<number> {
  const headers = { accept: "application/json", "x-forwarded-for": address, ...basic(ADMIN_PASSWORD) };
  return (await to.inject({ url: "/property", headers })).statusCode;
}
