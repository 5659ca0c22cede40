import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "./support/app.ts";
import { basic, ADMIN_PASSWORD, keepLog, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

const FORWARDED = { "x-forwarded-for": "203.0.113.7" };
const NOTICE = /does not trust the proxy at <code>127\.0\.0\.1<\/code>[^]*TRUST_PROXY=127\.0\.0\.1/;

async function pageOf(service: TestApp, password: string, headers: Record<string, string> = FORWARDED): Promise<string> {
  const { statusCode, body } = await service.inject({ url: "/property", headers: { ...basic(password), ...headers, accept: "text/html" } });
  assert.equal(statusCode, 200);
  return body;
}

test("warns administrators about an untrusted proxy on every page", async () => {
  await using service = await startApp({ settings: TWO_ROLES });
  for (let round = 0; round < 2; round++) {
    assert.match(await pageOf(service, ADMIN_PASSWORD), NOTICE);
    assert.doesNotMatch(await pageOf(service, ADMIN_PASSWORD, {}), /TRUST_PROXY/, "the request came without a proxy");
    assert.doesNotMatch(await pageOf(service, VIEWER_PASSWORD), /TRUST_PROXY/);
  }
  for (const header of ["forwarded", "x-real-ip", "x-forwarded-proto"])
    assert.match(await pageOf(service, ADMIN_PASSWORD, { [header]: "https" }), NOTICE, header);
  const refused = await service.inject({ url: "/property", headers: { ...FORWARDED, accept: "text/html" } });
  assert.equal(refused.statusCode, 401);
  assert.doesNotMatch(refused.body, /TRUST_PROXY/, "the network is not shown before sign-in");
});

test("doesn't warn about a trusted proxy", async () => {
  const { logger, lines } = keepLog();
  await using service = await startApp({ settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.0/8" }, logger });
  assert.doesNotMatch(await pageOf(service, ADMIN_PASSWORD), /TRUST_PROXY/);
  assert.deepEqual(
    lines.filter(({ msg }) => String(msg).includes("TRUST_PROXY")),
    [],
  );
});

test("logs an untrusted proxy at most once a minute", async () => {
  const { logger, lines } = keepLog();
  await using service = await startApp({ settings: TWO_ROLES, logger });
  const logged = () => lines.filter(({ msg }) => String(msg).includes("TRUST_PROXY"));
  const send = (url: string) => service.inject({ url, headers: FORWARDED });
  for (const url of ["/property", "/no/such", "/channel", "/property"]) await send(url);
  assert.deepEqual(
    logged().map(({ level, ip, header }) => ({ level, ip, header })),
    [{ level: 40, ip: "127.0.0.1", header: "x-forwarded-for" }],
  );
  service.clock.set(service.clock.now() + 59_999);
  await send("/");
  assert.equal(logged().length, 1);
  service.clock.set(service.clock.now() + 1);
  await send("/");
  assert.equal(logged().length, 2);
});
