import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, test } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { type AppOverrides, startApp, type TestApp } from "./support/app.ts";
import { countMessage, makeHotel } from "./support/hotel.ts";

const PASSWORD = "correct-horse-battery";
const PASSWORD_SETTINGS: AppOverrides = { settings: { NODE_ENV: "production", ADMIN_PASSWORD: PASSWORD } };
const basic = (password: string, user = "admin") => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

const EVERY_KIND: readonly (InjectOptions & { url: string })[] = [
  { url: "/" },
  { url: "/property" },
  { url: "/property/new" },
  { url: "/property/new", method: "POST", payload: "" },
  { url: "/no/such" },
  { url: "/no/such", headers: { accept: "application/json" } },
  { url: "/tools/routes?format=json" },
  { url: "/dev/logs?format=csv" },
  { url: "/channel", method: "POST", headers: { "content-type": "application/xml" }, payload: countMessage() },
  { url: "/_errors/log", method: "POST", headers: { "content-type": "application/json" }, payload: "{}" },
  { url: "/property", headers: { "x-forwarded-for": "192.0.2.1" } },
];

describe("HTTP responses", () => {
  test("HTTP responses contain the security headers", async () => {
    await using service = await startApp();
    const asset: (typeof EVERY_KIND)[number] = { url: await assetOf(service) };
    for (const request of [...EVERY_KIND, asset]) {
      const { headers } = await service.inject(request);
      const name = `${request.method ?? "GET"} ${request.url}`;
      assert.equal(headers["x-content-type-options"], "nosniff", name);
      assert.equal(headers["x-frame-options"], "DENY", name);
      assert.equal(headers["referrer-policy"], "same-origin", name);
      assert.equal(headers["cross-origin-opener-policy"], "same-origin", name);
      assert.equal(headers["cross-origin-resource-policy"], "same-origin", name);
      assert.match(String(headers["permissions-policy"]), /camera=\(\).*geolocation=\(\)/, name);
      assert.equal(headers["strict-transport-security"], undefined, name);
      assert.equal(headers["x-powered-by"] ?? headers.server, undefined, name);
      assertPolicy(String(headers["content-security-policy"]), name);
    }
  });

  test("HTTP responses set Cache-Control according to their content", async () => {
    await using service = await startApp();
    await makeHotel(service);
    const cacheOf = async (url: string) => (await service.inject(url)).headers["cache-control"];
    for (const url of ["/property", "/category", "/inventories?property=ALP", "/rates?property=ALP"])
      assert.equal(await cacheOf(url), "private, no-cache", url);
    const uncached = ["/", "/property/new", "/property/ALP/edit", "/tools", "/tools/env", "/tools/errors", "/dev", "/dev/logs", "/no/such"];
    for (const url of uncached) {
      const { headers } = await service.inject(url);
      assert.deepEqual([headers["cache-control"], headers.etag], ["no-store", undefined], url);
    }
    assert.equal(await cacheOf(await assetOf(service)), "public, max-age=31536000, immutable");
  });

  test("HTTP responses return 304 for a list's ETag until data is written", async () => {
    await using service = await startApp();
    await makeHotel(service);
    const { etag } = (await service.inject("/property")).headers;
    const revalidate = () => service.inject({ url: "/property", headers: { "if-none-match": String(etag) } });
    const unchanged = await revalidate();
    assert.equal(unchanged.statusCode, 304);
    assert.equal(unchanged.body, "");
    assertPolicy(String(unchanged.headers["content-security-policy"]), "304");
    const visitor = service.visitor();
    assert.equal((await visitor.post("/property/new", { code: "NEW", name: "New" })).statusCode, 303);
    assert.equal((await revalidate()).statusCode, 200);
  });
});

describe("behind a proxy, with PUBLIC_URL", () => {
  const settings = { ...PASSWORD_SETTINGS.settings, PUBLIC_URL: "https://rooms.example.com/hotels/", TRUST_PROXY: "127.0.0.1" };
  const headers = { host: "rooms.example.com", authorization: basic(PASSWORD) };

  test("adds the path prefix of PUBLIC_URL to links, files, forms and report endpoints", async () => {
    await using service = await startApp({ settings });
    const { body, headers: answered } = await service.inject({ url: "/property/new", headers });
    const links = [...body.matchAll(/\s(?:href|src|action|data-intake)="(\/[^"]*)"/g)].map((match) => match[1]!);
    assert.ok(links.length > 10);
    for (const link of links) assert.match(link, /^\/hotels\//);
    const [asset = ""] = links.filter((link) => link.includes("/assets/"));
    assert.equal((await service.inject({ url: asset, headers })).statusCode, 200);
    assert.match(String(answered["content-security-policy"]), /report-uri \/hotels\/_errors\/csp; report-to csp$/);
    assert.equal(answered["reporting-endpoints"], 'csp="/hotels/_errors/csp"');
  });

  test("accepts paths with and without the prefix of PUBLIC_URL", async () => {
    await using service = await startApp({ settings });
    for (const url of ["/hotels/property", "/property", "/hotels/", "/"]) {
      assert.equal((await service.inject({ url, headers })).statusCode, 200, url);
    }
    const { body } = await service.inject({ url: "/hotels/nope?a=1", headers: { ...headers, accept: "application/json" } });
    assert.match(body, /Route 'GET \/(hotels\/)?nope' not found/);
  });

  test("sets HSTS and sends cookies only over TLS", async () => {
    await using service = await startApp({ settings });
    const form = await service.inject({ url: "/property/new", headers });
    assert.equal(form.headers["strict-transport-security"], "max-age=31536000");
    const cookie = form.cookies.find(({ name }) => name === "__Host-sid");
    assert.ok(cookie);
    for (const set of [form.headers["set-cookie"]].flat()) {
      assert.match(String(set), /^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/i);
      assert.doesNotMatch(String(set), /domain/i);
    }
    const token = /name="_csrf" value="([^"]+)"/.exec(form.body)![1]!;
    const payload = new URLSearchParams({ _csrf: token, code: "ALP", name: "Alpenblick" }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded", origin: "https://rooms.example.com" };
    const post = { url: "/property/new", method: "POST", payload, cookies: { [cookie.name]: cookie.value } } as const;
    const sent = await service.inject({ ...post, headers: { ...headers, ...type } });
    assert.equal(sent.statusCode, 303, sent.body);
    assert.equal(sent.headers.location, "/hotels/property/ALP");
    const foreign = await service.inject({ ...post, headers: { ...headers, ...type, origin: "https://evil.example" } });
    assert.equal(foreign.statusCode, 403);
  });

  test("resubmits a form without a token to the same URL", async () => {
    await using service = await startApp({ settings });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    for (const url of ["/hotels/dev/channel", "/dev/channel", "http://evil.example/dev/channel"]) {
      const payload = "action=send&password=hush&xml=typed";
      const { statusCode, body } = await service.inject({ url, method: "POST", headers: { ...headers, ...type }, payload });
      assert.equal(statusCode, 403);
      assert.deepEqual(body.slice(body.indexOf("<main")).match(/<form[^>]*?(?=\s*>)/g), ['<form method="post" data-unsaved="typed"'], url);
      for (const field of ['name="xml" value="typed"', 'name="password" value="hush"']) assert.ok(body.includes(field), field);
      assert.match(body, /<td class="long">typed<\/td>/);
      assert.match(body, /<td class="long">\(hidden\)<\/td>/);
    }
  });

  test("accepts the client address only from a trusted proxy", async () => {
    const addressSeen = async (trusted: string) => {
      await using service = await startApp({ settings: { ...settings, TRUST_PROXY: trusted } });
      const forwarded = { ...headers, "x-forwarded-for": "192.0.2.66, 203.0.113.7" };
      const { body } = await service.inject({ url: "/tools/request?format=json", headers: forwarded });
      return (JSON.parse(body) as { client: { ip: string } }).client.ip;
    };
    assert.equal(await addressSeen("127.0.0.1"), "203.0.113.7", "the last address that is not a trusted proxy");
    assert.equal(await addressSeen("10.0.0.0/8"), "127.0.0.1");
  });

  test("uses a cookie without a name prefix, and report-uri without report-to, over plain HTTP", async () => {
    await using service = await startApp();
    const { headers: answered, cookies } = await service.inject("/property/new");
    assert.equal(cookies[0]?.name, "sid");
    assert.match(String(answered["set-cookie"]), /; Path=\/; HttpOnly; SameSite=Lax$/i);
    assert.equal(answered["reporting-endpoints"], undefined);
    assert.doesNotMatch(String(answered["content-security-policy"]), /report-to/);
  });
});

describe("with required credentials", () => {
  test("every page accepts the password as Basic or Bearer credentials", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    for (const url of ["/", "/property", "/tools/env", "/dev/logs", "/rates"]) {
      const refused = await service.inject({ url, headers: { accept: "*/*" } });
      assert.equal(refused.statusCode, 401, url);
      assert.equal(refused.headers["www-authenticate"], 'Basic realm="Roomrack", charset="UTF-8"');
      assert.doesNotMatch(refused.body, /Access is open/);
      for (const authorization of [basic(PASSWORD), basic(PASSWORD, "anyone"), `Bearer ${PASSWORD}`, `bearer ${PASSWORD}`]) {
        assert.equal((await service.inject({ url, headers: { authorization } })).statusCode, 200, `${url} ${authorization}`);
      }
      const wrong = await service.inject({ url, headers: { authorization: basic(`${PASSWORD}x`) } });
      assert.equal(wrong.statusCode, 401);
      expireFailures(service);
    }
  });

  test("accepts browser reports from anyone, and returns 404 for unknown paths", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    const json = { "content-type": "application/json" };
    const report = await service.inject({ url: "/_errors/log", method: "POST", headers: json, payload: '{"message":"m"}' });
    assert.equal(report.statusCode, 204);
    assert.equal((await service.inject(await assetOf(service))).statusCode, 200);
    for (const [method, url] of [
      ["GET", "/login"],
      ["POST", "/login"],
      ["GET", "/logout"],
      ["DELETE", "/property"],
    ] as const) {
      const answer = await service.inject({ method, url, headers: { accept: "application/json" } });
      assert.equal(answer.statusCode, 404);
      assert.equal(answer.json<{ error: { message: string } }>().error.message, `Route '${method} ${url}' not found`);
    }
  });

  test("the channel requires a sender and rejects the administrator's password", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    for (const authorization of [undefined, basic(PASSWORD), basic("guess", "pms")]) {
      const headers = { "content-type": "application/xml", ...(authorization !== undefined && { authorization }) };
      const { statusCode, body } = await service.inject({ url: "/channel", method: "POST", headers, payload: countMessage() });
      assert.equal(statusCode, 401, body);
    }
  });

  test("the channel's health check needs no credentials", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    assert.equal((await service.inject({ method: "OPTIONS", url: "/channel" })).statusCode, 204);
  });

  test("accepts passwords with spaces and non-Latin letters as Basic and Bearer credentials", async () => {
    const password = "korrekt  Bündel Ω";
    await using service = await startApp({ settings: { ADMIN_PASSWORD: password } });
    const bytes = Buffer.from(password).toString("latin1");
    for (const authorization of [basic(password), `Bearer ${bytes}`, `bearer  ${bytes} `]) {
      assert.equal((await service.inject({ url: "/property", headers: { authorization } })).statusCode, 200, authorization);
    }
    assert.equal((await service.inject({ url: "/property", headers: { authorization: "Bearer korrekt" } })).statusCode, 401);
  });

  test("requires a CSRF token with Basic credentials but not with Bearer credentials", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const send = (authorization: string) =>
      service.inject({ url: "/property/new", method: "POST", headers: { ...type, authorization }, payload: "code=ALP&name=Alpenblick" });
    assert.equal((await send(basic(PASSWORD))).statusCode, 403);
    assert.equal((await send(`Bearer ${PASSWORD}`)).statusCode, 303);
  });

  test("refuses records in other formats and lists the accepted formats", async () => {
    await using service = await startApp(PASSWORD_SETTINGS);
    for (const url of ["/property/new", "/property/ALP/edit", "/category/new", "/category/ALP/DBL/edit"]) {
      for (const type of ["application/json", "text/plain", "application/xml"]) {
        const headers = { authorization: `Bearer ${PASSWORD}`, "content-type": type, accept: "application/json" };
        const answer = await service.inject({ url, method: "POST", headers, payload: '{"name":"Other","horizonDays":200,"rooms":5}' });
        assert.deepEqual(
          [answer.statusCode, answer.json().error.message],
          [415, `The content type '${type}' is not supported; send application/x-www-form-urlencoded or multipart/form-data`],
          url,
        );
      }
    }
  });

  test("delays an address longer after each failed attempt, without affecting other addresses", async () => {
    await using service = await startApp({ settings: { ...PASSWORD_SETTINGS.settings, TRUST_PROXY: "127.0.0.1" } });
    const ask = (password: string, address: string) =>
      service.inject({ url: "/property", headers: { authorization: basic(password), "x-forwarded-for": address } });
    for (let tries = 0; tries < 6; tries++) assert.equal((await ask("guess", "203.0.113.7")).statusCode, 401, String(tries));
    const lockedOut = await ask(PASSWORD, "203.0.113.7");
    assert.equal(lockedOut.statusCode, 429, "even the right password is refused");
    assert.equal(lockedOut.headers["retry-after"], "1");
    assert.match(lockedOut.body, /Try again in 1 second\./);
    assert.equal((await ask(PASSWORD, "203.0.113.8")).statusCode, 200);
    service.clock.set(service.clock.now() + 1_000);
    assert.equal((await ask("guess", "203.0.113.7")).statusCode, 401);
    assert.equal((await ask("guess", "203.0.113.7")).headers["retry-after"], "2");
    service.clock.set(service.clock.now() + 2_000);
    assert.equal((await ask(PASSWORD, "203.0.113.7")).statusCode, 200);
    service.clock.set(service.clock.now() + 60_000);
    for (let tries = 0; tries < 6; tries++) assert.equal((await ask("guess", "203.0.113.7")).statusCode, 401, `revalidate ${tries}`);
  });
});

describe("with open access", () => {
  test("admits clients from this machine and shows a badge", async () => {
    await using service = await startApp();
    for (const host of ["localhost:80", "127.0.0.1", "[::1]:80"]) {
      const { statusCode, body } = await service.inject({ url: "/property", headers: { host } });
      assert.equal(statusCode, 200, host);
      assert.match(body, /<span class="badge warn">Open access<\/span>/);
      assert.match(body, /Access is open/);
    }
  });

  const REMOTE_REQUESTS: Readonly<Record<string, Record<string, string>>> = {
    "for another host name, as in DNS rebinding": { host: "evil.example:80" },
    "for another port": { host: "localhost:8080" },
    "with Forwarded": { forwarded: "for=192.0.2.1" },
    "with X-Forwarded-For": { "x-forwarded-for": "127.0.0.1" },
    "with X-Forwarded-Host": { "x-forwarded-host": "localhost" },
    "with X-Forwarded-Proto": { "x-forwarded-proto": "https" },
    "with X-Forwarded-Port": { "x-forwarded-port": "443" },
    "with CF-Connecting-IP": { "cf-connecting-ip": "192.0.2.1" },
    "with X-Real-IP": { "x-real-ip": "127.0.0.1" },
    "with Via": { via: "1.1 proxy" },
    "from another site": { "sec-fetch-site": "cross-site" },
  };
  for (const [origin, overrides] of Object.entries(REMOTE_REQUESTS)) {
    test(`refuses a request ${origin} on pages and the channel`, async () => {
      await using service = await startApp();
      const headers = { host: "localhost:80", ...overrides };
      assert.equal((await service.inject({ url: "/property", headers })).statusCode, 403);
      const message = { ...headers, "content-type": "application/xml" };
      assert.equal((await service.inject({ url: "/channel", method: "POST", headers: message, payload: countMessage() })).statusCode, 401);
      assert.equal((await service.inject({ url: "/no/such", headers })).statusCode, 404, "unknown paths return 404 for all clients");
    });
  }

  const OTHER_ORIGINS: Readonly<Record<string, string>> = {
    "names another host": "http://evil.example",
    "names another port": "http://localhost:8080",
    "uses another name for this machine": "http://127.0.0.1",
    "is null": "null",
    "is invalid": "evil",
  };
  for (const [whose, origin] of Object.entries(OTHER_ORIGINS)) {
    test(`refuses unsafe methods if the Origin header ${whose}`, async () => {
      await using service = await startApp();
      const headers = { host: "localhost", origin, "content-type": "application/x-www-form-urlencoded" };
      const unsafe = ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY"] as const;
      for (const url of ["/channel", "/tools", "/tools/caches", "/", "/dev/logs/1"]) {
        for (const method of unsafe) {
          const { statusCode, body } = await service.inject({ method: method as "POST", url, headers, payload: "a=b" });
          assert.equal(statusCode, 403, `${method} ${url}`);
          assert.match(body, /Another site sent this request/, `${method} ${url}`);
        }
      }
      assert.equal((await service.inject({ method: "POST", url: "/property/new", headers, payload: "a=b" })).statusCode, 403);
      assert.equal((await service.inject({ method: "POST", url: "/login", headers, payload: "a=b" })).statusCode, 404);
      for (const method of ["GET", "HEAD"] as const)
        assert.equal((await service.inject({ method, url: "/property", headers })).statusCode, 200);
      assert.equal((await service.inject({ method: "OPTIONS", url: "/channel", headers })).statusCode, 204);
    });
  }

  test("accepts messages whose Origin is this service", async () => {
    await using service = await startApp();
    await makeHotel(service);
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      const headers = { host, origin: `http://${host}`, "content-type": "application/xml" };
      const { statusCode } = await service.inject({ method: "POST", url: "/channel", headers, payload: countMessage() });
      assert.equal(statusCode, 200, host);
    }
  });

  test("accepts reports from the service's own pages, and policy reports whose Origin is null", async () => {
    await using service = await startApp();
    const report = (url: string, origin: string | undefined) => {
      const payload =
        url === "/_errors/csp"
          ? { "csp-report": { "document-uri": "http://localhost/", "effective-directive": "script-src", "blocked-uri": "inline" } }
          : { message: "m" };
      const headers = { host: "localhost", "content-type": "application/json", ...(origin !== undefined && { origin }) };
      return service.inject({ method: "POST", url, headers, payload: JSON.stringify(payload) });
    };
    const cases = [
      ["/_errors/log", "http://localhost", 204],
      ["/_errors/log", undefined, 204],
      ["/_errors/log", "http://evil.example", 403],
      ["/_errors/csp", "http://localhost", 204],
      ["/_errors/csp", undefined, 204],
      ["/_errors/csp", "null", 204],
      ["/_errors/csp", "http://evil.example", 403],
    ] as const;
    for (const [url, origin, status] of cases) assert.equal((await report(url, origin)).statusCode, status, `${url} ${origin}`);
  });

  test("refuses HTTP/1.0, which old proxies use", async () => {
    await using service = await startApp();
    const { port, host } = new URL(await service.listen());
    assert.match(await askRaw(Number(port), `GET /property HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
    assert.match(await askRaw(Number(port), `GET /property HTTP/1.0\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 403 /);
  });

  test("accepts absolute request targets", async () => {
    await using service = await startApp();
    const { host, port } = new URL(await service.listen());
    const ask = (target: string) => askRaw(Number(port), `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.match(await ask(`http://${host}/property?q=x`), /^HTTP\/1\.1 200 [\s\S]*No properties/);
    assert.match(await ask(`http://${host}`), /^HTTP\/1\.1 200 [\s\S]*Getting started/);
    assert.match(await ask(`http://${host}/nothing`), /^HTTP\/1\.1 404 /);
  });

  test("refuses a client that connects from a non-loopback address of this machine", async (context) => {
    const [address] = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    if (address === undefined) return void context.diagnostic("this machine has only loopback addresses");
    await using service = await startApp();
    await service.app.listen({ host: "0.0.0.0", port: 0 });
    const { port } = service.app.server.address() as { port: number };
    const request = `GET /property HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
    assert.match(await askRaw(port, request), /^HTTP\/1\.1 200 /);
    assert.match(await askRaw(port, request, address.address), /^HTTP\/1\.1 403 /);
  });
});

test("refuses a request with two Host headers", async () => {
  await using service = await startApp();
  const { port, host } = new URL(await service.listen());
  for (const hosts of [
    [host, "elsewhere.example"],
    ["elsewhere.example", host],
    [host, host],
  ]) {
    const answer = await askRaw(
      Number(port),
      `GET /property HTTP/1.1\r\n${hosts.map((one) => `host: ${one}\r\n`).join("")}Connection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 400 .*x-content-type-options: nosniff/s, hosts.join());
    assert.match(answer, /The request has more than one Host header/);
  }
});

test("requires a Host header in HTTP/1.1 but not in HTTP/1.0", async () => {
  await using service = await startApp();
  const { port } = new URL(await service.listen());
  const ask = (version: string) => askRaw(Number(port), `GET /public/nothing HTTP/${version}\r\nConnection: close\r\n\r\n`);
  assert.match(await ask("1.1"), /^HTTP\/1\.1 400 .*x-content-type-options: nosniff.*The request has no Host header/s);
  assert.match(await ask("1.0"), /^HTTP\/1\.1 404 /);
});

function assertPolicy(policy: string, name: string): void {
  for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'"]) {
    assert.ok(policy.includes(`${directive};`), `${directive} in ${name}`);
  }
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'; report-uri \/_errors\/csp$/, name);
  assert.doesNotMatch(policy, /unsafe-|\*|https?:/, name);
}

async function assetOf(service: TestApp): Promise<string> {
  const { body }: LightMyRequestResponse = await service.inject("/no/such");
  return /href="(\/assets\/app\.[^"]+\.css)"/.exec(body)![1]!;
}

/** Moves the clock until failed sign-ins have expired. */
function expireFailures(service: TestApp): void {
  service.clock.set(service.clock.now() + 120_000);
}

/** Sends raw text to `host` and returns the whole response. */
function askRaw(port: number, text: string, host = "127.0.0.1"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, host, () => socket.write(text));
  let answer = "";
  socket.setEncoding("utf8");
  socket.on("data", (part: string) => (answer += part));
  socket.on("end", () => resolve(answer));
  socket.on("error", reject);
  return promise;
}

test("closes requests that take longer than five minutes", async () => {
  await using service = await startApp();
  assert.equal(service.app.server.requestTimeout, 300_000);
});
