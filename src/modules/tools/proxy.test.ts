import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { readConfig } from "../../config.ts";
import { type ReceivedRequest, explainAddress, proxyWarnings } from "./proxy.ts";

const direct: ReceivedRequest = {
  peer: "10.0.0.5",
  ip: "10.0.0.5",
  chain: ["10.0.0.5"],
  scheme: "http",
  host: "rooms.example.com",
  headers: {},
};
const proxied: ReceivedRequest = {
  ...direct,
  ip: "192.0.2.7",
  chain: ["10.0.0.5", "192.0.2.7"],
  scheme: "https",
  headers: { "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https" },
};
const trusting = readConfig({ TRUST_PROXY: "10.0.0.0/8", PUBLIC_URL: "https://rooms.example.com" });

test("accepts a request that matches the settings", () => {
  assert.deepEqual(proxyWarnings(direct, readConfig({})), []);
  assert.deepEqual(proxyWarnings(proxied, trusting), []);
  assert.match(explainAddress(proxied, trusting), /X-Forwarded-For.*10\.0\.0\.5 is in TRUST_PROXY/);
});

test("explains where the client address comes from", () => {
  assert.match(explainAddress(direct, readConfig({})), /because TRUST_PROXY is not set/);
  assert.match(explainAddress(direct, trusting), /because there is no X-Forwarded-For header/);
  const untrusted = { ...proxied, peer: "192.0.2.99", ip: "192.0.2.99", chain: ["192.0.2.99"] };
  assert.match(explainAddress(untrusted, trusting), /because it is not in TRUST_PROXY \(10\.0\.0\.0\/8\)/);
});

test("warns about an untrusted proxy and suggests the setting", () => {
  const [warning] = proxyWarnings(
    { ...proxied, ip: "10.0.0.5", chain: ["10.0.0.5"] },
    readConfig({ PUBLIC_URL: "https://rooms.example.com" }),
  );
  assert.match(warning ?? "", /TRUST_PROXY is not set.*set TRUST_PROXY=10\.0\.0\.5/);
});

test("warns about insecure cookies behind TLS without PUBLIC_URL", () => {
  const [warning] = proxyWarnings(proxied, readConfig({ TRUST_PROXY: "10.0.0.0/8" }));
  assert.match(warning ?? "", /not marked Secure/);
});

test("warns if the host differs from PUBLIC_URL", () => {
  const [warning] = proxyWarnings({ ...proxied, host: "127.0.0.1:3000" }, trusting);
  assert.match(warning ?? "", /host rooms\.example\.com, but this request was for 127\.0\.0\.1:3000/);
});

test("warns about a proxy that sends only the Forwarded header", () => {
  const warnings = proxyWarnings({ ...direct, headers: { forwarded: "for=192.0.2.7" } }, readConfig({}));
  assert.match(warnings.join(" "), /Forwarded \(RFC 7239\), which is not supported/);
});

test("accepts a client on the same machine as the proxy", () => {
  const local = { ...proxied, ip: "10.0.0.5", chain: ["10.0.0.5", "10.0.0.5"], headers: { "x-forwarded-for": "10.0.0.5" } };
  assert.deepEqual(proxyWarnings(local, trusting), []);
  assert.match(explainAddress(local, trusting), /X-Forwarded-For.*10\.0\.0\.5 is in TRUST_PROXY/);
});

test("warns about a missing or untrusted user header", () => {
  const config = readConfig({ PROXY_USER_HEADER: "Remote-User", PROXY_USER_NETWORKS: "10.0.0.0/8" });
  const named = { ...direct, headers: { "remote-user": "anna" } };
  assert.deepEqual(proxyWarnings(direct, config), ["PROXY_USER_NETWORKS includes 10.0.0.5, but the request has no Remote-User header."]);
  assert.deepEqual(proxyWarnings(named, config), []);
  const [warning] = proxyWarnings({ ...named, peer: "192.0.2.99" }, config);
  assert.equal(warning, "The Remote-User header is ignored, because PROXY_USER_NETWORKS does not include 192.0.2.99.");
  assert.deepEqual(proxyWarnings({ ...direct, peer: "192.0.2.99" }, config), []);
});

test("handles a request whose client has disconnected", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: "correct horse" } });
  const { host, port } = new URL(await service.listen());
  service.app.server.prependListener("request", ({ socket }: IncomingMessage) => socket.destroy());
  const socket = connect(Number(port), "127.0.0.1");
  socket.end(`GET /tools/request HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer correct horse\r\n\r\n`);
  await once(socket, "close");
  assert.deepEqual((await service.errors.list({}, { limit: 1 })).entries, []);
});

test("warns if a request used HTTP although PUBLIC_URL uses HTTPS", () => {
  const headers = { ...proxied.headers, "x-forwarded-proto": "http" };
  assert.deepEqual(proxyWarnings({ ...proxied, scheme: "http", headers }, trusting), [
    "PUBLIC_URL uses https, but the proxy reports that this request used http.",
  ]);
});
