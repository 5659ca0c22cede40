import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, test } from "node:test";
import { startApp, type TestApp } from "./support/app.ts";
import { countMessage } from "./support/hotel.ts";
import { ADMIN_PASSWORD, basic, keepLog, postForm } from "./support/sign-in.ts";

const PROXY = "10.1.2.3";
const SETTINGS = {
  NODE_ENV: "production",
  ADMIN_PASSWORD,
  PROXY_USER_HEADER: "X-Auth-User",
  PROXY_USER_NETWORKS: "10.1.0.0/16, fd00::/8, 192.0.2.7",
  PROXY_ADMINS: "anna@example.com, Jörg",
  TRUST_PROXY: "10.1.0.0/16",
};

async function identityOf(service: TestApp, headers: Record<string, string>, remoteAddress = PROXY): Promise<string | number> {
  const { statusCode, body } = await service.inject({ url: "/tools/request?format=json", headers, remoteAddress });
  if (statusCode !== 200) return statusCode;
  const { actor, role } = JSON.parse(body) as { actor: string; role: string };
  return `${actor} (${role})`;
}

describe("an authenticating proxy", () => {
  test("signs in listed users as administrators and all others as viewers", async () => {
    await using service = await startApp({ settings: SETTINGS });
    const utf8 = Buffer.from("Jörg").toString("latin1");
    for (const [name, who] of [
      ["anna@example.com", "anna@example.com (admin)"],
      [utf8, "Jörg (admin)"],
      ["Anna@example.com", "Anna@example.com (viewer)"],
      ["ben", "ben (viewer)"],
      ["admin", "admin (viewer)"],
    ] as const)
      assert.equal(await identityOf(service, { "x-auth-user": name }), who);
    for (const peer of [PROXY, "::ffff:10.1.255.255", "fd12::1", "192.0.2.7"])
      assert.equal(await identityOf(service, { "X-Auth-User": "ben" }, peer), "ben (viewer)", peer);
  });

  test("an authenticating proxy is trusted only from its networks, regardless of forwarding headers", async () => {
    const { logger, lines } = keepLog();
    await using service = await startApp({ settings: { ...SETTINGS, TRUST_PROXY: "0.0.0.0/1,128.0.0.0/1" }, logger });
    const named = { "x-auth-user": "anna@example.com" };
    for (const peer of ["127.0.0.1", "::1", "10.2.0.1", "::ffff:10.2.0.1", "192.0.2.8", "fe80::1"]) {
      assert.equal(await identityOf(service, named, peer), 401, peer);
      assert.equal(await identityOf(service, { ...named, "x-forwarded-for": PROXY, "x-real-ip": PROXY }, peer), 401, peer);
    }
    const warnings = lines.filter(({ msg }) => msg === "a peer outside PROXY_USER_NETWORKS sent a user name");
    assert.equal(warnings.length, 6, "once for each peer");
  });

  test("an authenticating proxy can forward requests without a user name, which then require a password", async () => {
    await using service = await startApp({ settings: SETTINGS });
    for (const headers of [{}, { "x-auth-user": "" }]) {
      const refused = await service.inject({ url: "/property", headers, remoteAddress: PROXY });
      assert.equal(refused.statusCode, 401);
      assert.equal(refused.headers["www-authenticate"], 'Basic realm="Roomrack", charset="UTF-8"');
    }
    assert.equal(await identityOf(service, basic(ADMIN_PASSWORD, "carl")), "admin (admin)");
    assert.equal(
      await identityOf(service, { ...basic(ADMIN_PASSWORD, "carl"), "x-auth-user": "anna@example.com" }, "203.0.113.9"),
      "admin (admin)",
    );
  });

  test("the user named by an authenticating proxy takes precedence over other credentials in the request", async () => {
    await using service = await startApp({ settings: SETTINGS });
    for (let time = 0; time < 10; time++)
      assert.equal(await identityOf(service, { ...basic("of the proxy"), "x-auth-user": "ben" }), "ben (viewer)");
    assert.equal(await identityOf(service, { authorization: `Bearer ${ADMIN_PASSWORD}`, "x-auth-user": "ben" }), "ben (viewer)");
  });

  test("an authenticating proxy must send exactly one printable user name", async () => {
    const { logger, lines } = keepLog();
    await using service = await startApp({ settings: SETTINGS, logger });
    for (const name of ["anna@example.com, ben", "ben,anna@example.com", "open", "a".repeat(101), "a\tb"]) {
      const { statusCode, body } = await service.inject({
        url: "/property",
        headers: { "x-auth-user": name, accept: "application/json" },
        remoteAddress: PROXY,
      });
      assert.deepEqual([statusCode, body.includes("The proxy must send exactly one user name")], [401, true], name);
    }
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      Array(5).fill("the proxy sent no user name, or more than one"),
    );
  });

  test("an authenticating proxy is refused if it also forwards the client's header", async () => {
    await using service = await startApp({ settings: { ...SETTINGS, PROXY_USER_NETWORKS: "127.0.0.1" } });
    const origin = await service.listen();
    const statusOf = async (names: string[]) => {
      const sent = request(`${origin}/property`, { headers: { "X-Auth-User": names } }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    assert.deepEqual([await statusOf(["ben"]), await statusOf(["anna@example.com", "ben"])], [200, 401]);
  });

  test("users of an authenticating proxy still need a CSRF token", async () => {
    await using service = await startApp({ settings: SETTINGS });
    const headers = { "x-auth-user": "anna@example.com" };
    const fields = { code: "ALP", name: "Alpenblick" };
    const send = (more: Record<string, string>) =>
      service.inject({
        method: "POST",
        url: "/property/new",
        remoteAddress: PROXY,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers, ...more },
        payload: new URLSearchParams(fields).toString(),
      });
    assert.equal((await send({})).statusCode, 403);
    assert.equal((await send({ authorization: `Bearer ${ADMIN_PASSWORD}` })).statusCode, 403);
    assert.match((await send({})).body, /Invalid CSRF token/);
  });

  test("an authenticating proxy disables open access, and its users can't post messages", async (context) => {
    context.mock.method(console, "log", () => undefined);
    const { PROXY_USER_HEADER, PROXY_USER_NETWORKS } = SETTINGS;
    await using service = await startApp({ settings: { PROXY_USER_HEADER, PROXY_USER_NETWORKS } });
    assert.equal(await identityOf(service, {}, "127.0.0.1"), 401);
    assert.equal(
      await identityOf(service, { "x-auth-user": "anna@example.com" }),
      "anna@example.com (viewer)",
      "all users are viewers without a list",
    );
    const headers = { "x-auth-user": "anna@example.com", "content-type": "application/xml" };
    const posted = await service.inject({ method: "POST", url: "/channel", headers, remoteAddress: PROXY, payload: countMessage() });
    assert.equal(posted.statusCode, 401);
  });

  test("users of an authenticating proxy are logged with name and address", async () => {
    const { logger, lines } = keepLog();
    await using service = await startApp({ settings: SETTINGS, logger });
    for (let time = 0; time < 3; time++) await identityOf(service, { "x-auth-user": "ben", "x-forwarded-for": "203.0.113.7" });
    assert.deepEqual(
      lines.filter(({ msg }) => msg === "signed in").map(({ ip, user, role }) => [ip, user, role]),
      [["203.0.113.7", "ben", "viewer"]],
    );
  });
});

test("ignores the user header if PROXY_USER_HEADER is not set", async () => {
  await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD } });
  assert.equal(await identityOf(service, { "x-auth-user": "anna", "remote-user": "anna" }, "127.0.0.1"), 401);
  assert.equal((await postForm(service, "/property/new", { fields: {}, headers: { "remote-user": "anna" } })).statusCode, 401);
});
