import assert from "node:assert/strict";
import { test } from "node:test";
import type { InjectOptions } from "fastify";
import { createToken as storeToken } from "../src/access/tokens.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel } from "./support/hotel.ts";
import { BY_TEST } from "./support/senders.ts";
import { ADMIN_PASSWORD, basic, postForm, TWO_ROLES } from "./support/sign-in.ts";

const ADMIN = { authorization: `Bearer ${ADMIN_PASSWORD}` };
const DAY_MS = 86_400_000;

type Fields = Readonly<Record<string, string>>;

type Post = { url: string; fields: Fields; headers: Fields };

async function post(service: TestApp, { url, fields, headers }: Post) {
  return postForm(service, url, { fields, headers });
}

async function createToken(service: TestApp, fields: Fields): Promise<string> {
  const created = await post(service, {
    url: "/tools/tokens?format=json",
    fields: { action: "create", name: "report", ...fields },
    headers: ADMIN,
  });
  assert.equal(created.statusCode, 201, created.body);
  return created.json<{ token: string }>().token;
}

const pick = ({ status, title, detail }: { status: number; title: string; detail: string }) => [status, title, detail];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

eachEngine("an API token", (open) => {
  const start = async () => {
    const service = await startApp({ database: await open(), settings: TWO_ROLES });
    await post(service, { url: "/property/new", fields: { code: "ALP", name: "Alpenblick" }, headers: ADMIN });
    await post(service, { url: "/property/new", fields: { code: "BET", name: "Bettenburg" }, headers: ADMIN });
    for (const hotelCode of ["ALP", "BET"])
      await post(service, {
        url: "/category/new",
        fields: { hotelCode, code: "DBL", name: "Double", kind: "room", rooms: "2", standardOccupancy: "2" },
        headers: ADMIN,
      });
    return service;
  };
  const statusOf = async (service: TestApp, token: string, request: InjectOptions | string) => {
    const options = typeof request === "string" ? { url: request } : request;
    return (await service.inject({ ...options, headers: { ...options.headers, ...bearer(token) } })).statusCode;
  };

  test("an API token with the `read` scope reads data as JSON and CSV and changes nothing", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-read": "on" });
    for (const url of [
      "/?format=json",
      "/property?format=csv",
      "/property/ALP?format=json",
      "/category?format=json",
      "/dev/logs?format=json",
    ])
      assert.equal(await statusOf(service, token, url), 200, url);
    for (const url of ["/inventories?property=ALP&format=json", "/rates?property=ALP&format=csv", "/category/ALP/DBL/edit?format=json"])
      assert.equal(await statusOf(service, token, url), 200, url);
    for (const url of ["/tools/env?format=json", "/tools/tokens?format=json", "/tools/errors?format=json", "/tools/users?format=json"])
      assert.equal(await statusOf(service, token, url), 403, url);
    const refused = await post(service, {
      url: "/property/ALP/edit",
      fields: { name: "Changed" },
      headers: { ...bearer(token), accept: "application/json" },
    });
    assert.deepEqual(
      [refused.statusCode, refused.json<{ detail: string }>().detail],
      [403, "This token does not have the scope records:write."],
    );
  });

  test("an API token with the `records:write` scope edits records, and the history names it", async () => {
    await using service = await start();
    const token = await createToken(service, { name: "pms sync", "scope-records:write": "on", "scope-read": "on" });
    assert.equal(
      (await post(service, { url: "/property/new", fields: { code: "NEW", name: "New" }, headers: bearer(token) })).statusCode,
      303,
    );
    const { history } = (await service.inject({ url: "/property/NEW?format=json", headers: bearer(token) })).json<{
      history: { actor: string }[];
    }>();
    assert.equal(history[0]?.actor, "token pms sync");
    assert.equal((await post(service, { url: "/tools/caches", fields: { action: "clear" }, headers: bearer(token) })).statusCode, 403);
    assert.equal((await post(service, { url: "/dev/logs", fields: { action: "remove" }, headers: bearer(token) })).statusCode, 403);
  });

  test("an API token receives every error as problem details (RFC 9457)", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-read": "on", "scope-records:write": "on" });
    const ask = async (url: string, fields?: Fields) => {
      const answer = await (fields
        ? post(service, { url, fields, headers: bearer(token) })
        : service.inject({ url, headers: bearer(token) }));
      assert.equal(answer.headers["content-type"], "application/problem+json; charset=utf-8", url);
      const problem = answer.json<{ status: number; title: string; detail: string; errors?: Fields }>();
      assert.equal(problem.status, answer.statusCode);
      return problem;
    };
    assert.deepEqual(pick(await ask("/property/NONE")), [404, "Not Found", "Property 'NONE' not found"]);
    assert.deepEqual(pick(await ask("/tools/env")), [403, "Forbidden", "API tokens cannot be used here."]);
    const wrong = await ask("/property?format=json&status=odd");
    assert.deepEqual(pick(wrong), [422, "Unprocessable Entity", "Some values are invalid."]);
    assert.deepEqual(wrong.errors, { status: "Choose a status: active, inactive, test or archived" });
    assert.ok((await ask("/property/new?format=json", { code: "NEW", name: "" })).errors?.name);
    const unknown = await service.inject({ url: "/property?format=json", headers: bearer("rrk_unknown") });
    assert.deepEqual([unknown.statusCode, unknown.headers["content-type"]], [401, "application/problem+json; charset=utf-8"]);
  });

  test("an API token receives 304 for JSON that has not changed", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-read": "on", "scope-records:write": "on" });
    const url = "/property?format=json";
    const first = await service.inject({ url, headers: bearer(token) });
    const etag = String(first.headers.etag);
    assert.equal(first.headers["cache-control"], "private, no-cache");
    const again = () => service.inject({ url, headers: { ...bearer(token), "if-none-match": etag } });
    const unchanged = await again();
    assert.deepEqual([unchanged.statusCode, unchanged.body, unchanged.headers["content-length"]], [304, "", undefined]);
    assert.equal(unchanged.headers.vary, first.headers.vary);
    await post(service, { url: "/property/ALP/edit", fields: { name: "Changed" }, headers: bearer(token) });
    assert.equal((await again()).statusCode, 200);
  });

  test("pages through a list by cursor while a record is added to an earlier page", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-read": "on", "scope-records:write": "on" });
    for (let number = 10; number < 40; number++)
      await post(service, { url: "/property/new", fields: { code: `P${number}`, name: `Name ${90 - number}` }, headers: ADMIN });
    const read = async (after: string) => {
      const url = `/property?format=json&size=25&after=${after}`;
      return (await service.inject({ url, headers: bearer(token) })).json<{
        properties: { code: string }[];
        next: string | null;
        total: number;
      }>();
    };
    const first = await read("");
    assert.deepEqual([first.properties.length, first.next, first.total], [25, "P32", 32]);
    await post(service, { url: "/property/new", fields: { code: "AAA", name: "Aaa" }, headers: ADMIN });
    const second = await read(first.next!);
    assert.deepEqual(
      second.properties.map(({ code }) => code),
      ["P33", "P34", "P35", "P36", "P37", "P38", "P39"],
    );
    assert.equal(second.next, null);
    const categories = async (query: string) =>
      (await service.inject({ url: `/category?format=json&${query}`, headers: bearer(token) })).json<{
        categories: { hotelCode: string }[];
      }>();
    assert.deepEqual(
      (await categories("after=ALP/DBL")).categories.map(({ hotelCode }) => hotelCode),
      ["BET"],
    );
    assert.deepEqual(
      (await categories("after=&hotelCode=ALP")).categories.map(({ hotelCode }) => hotelCode),
      ["ALP"],
    );
    assert.equal(await statusOf(service, token, "/category?format=json&after=odd"), 422);
    assert.equal(await statusOf(service, token, "/property?format=json&after=a%2Fb"), 422);
  });

  test("an API token has a limit of requests per minute that does not affect other tokens", async () => {
    const settings = { ...TWO_ROLES, TOKEN_REQUESTS_PER_MINUTE: "2", WORKERS: "1" };
    await using service = await startApp({ database: await open(), settings });
    const token = await createToken(service, { "scope-read": "on" });
    const other = await createToken(service, { name: "other", "scope-read": "on" });
    const ask = (of: string) => service.inject({ url: "/property?format=json", headers: bearer(of) });
    assert.deepEqual([(await ask(token)).statusCode, (await ask(token)).statusCode], [200, 200]);
    const refused = await ask(token);
    assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "30"]);
    assert.match(refused.json<{ detail: string }>().detail, /^This token sent too many requests. Try again in 30 seconds.$/);
    assert.equal((await post(service, { url: "/", fields: {}, headers: bearer(token) })).statusCode, 429);
    assert.equal((await ask(other)).statusCode, 200);
    service.clock.set(service.clock.now() + 30_000);
    assert.equal((await ask(token)).statusCode, 200);
  });

  test("an API token limited to a property neither reads nor writes other properties", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-read": "on", "scope-records:write": "on", properties: "ALP" });
    const allowed = ["/property/ALP?format=json", "/category?hotelCode=ALP&format=json", "/inventories?property=ALP&format=json"];
    for (const url of [...allowed, "/rates?property=ALP&format=json", "/dev/logs?property=ALP&format=json"])
      assert.equal(await statusOf(service, token, url), 200, url);
    const others = ["/property/BET", "/category?hotelCode=BET", "/inventories?property=BET", "/category/BET/DBL/edit"];
    const everything = ["/", "/property", "/property?code=ALP", "/category", "/inventories", "/rates", "/dev/logs"];
    const tricks = ["/category?hotelCode=ALP&select=&select=BET/DBL", "/inventories?property=ALP&property=BET", "/dev/logs?property="];
    for (const url of [...others, ...everything, ...tricks]) {
      const { statusCode, body } = await service.inject({ url, headers: { ...bearer(token), accept: "application/json" } });
      assert.ok(statusCode === 403 || !body.includes("Bettenburg"), `${url} ${statusCode}`);
      if (!tricks.includes(url)) assert.equal(statusCode, 403, url);
    }
    assert.equal((await post(service, { url: "/property/BET/edit", fields: { name: "Mine" }, headers: bearer(token) })).statusCode, 403);
    const created = await post(service, {
      url: "/category/new",
      fields: { hotelCode: "BET", code: "SGL", name: "Single" },
      headers: bearer(token),
    });
    assert.equal(created.statusCode, 403);
  });

  test("an API token limited to a property does not see messages for other properties", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "application/xml" }, payload: countMessage() });
    await using guarded = await startApp({ database: service.database, settings: TWO_ROLES });
    await post(guarded, { url: "/property/new", fields: { code: "BET", name: "Bettenburg" }, headers: ADMIN });
    const own = await createToken(guarded, { name: "own", "scope-read": "on", properties: "ALP" });
    const other = await createToken(guarded, { name: "other", "scope-read": "on", properties: "BET" });
    assert.deepEqual(
      [await statusOf(guarded, own, "/dev/logs/1?format=json"), await statusOf(guarded, other, "/dev/logs/1?format=json")],
      [200, 403],
    );
  });

  test("an API token limited to a property reveals nothing about other properties in suggestions, deletions or the console", async () => {
    await using service = await start();
    const sent = { action: "send", run: "apply", xml: countMessage().replace("ALP", "BET") };
    await post(service, { url: "/dev/channel", fields: sent, headers: ADMIN });
    const removal = { action: "remove", property: "BET", before: "1", sure: "on" };
    await post(service, { url: "/dev/logs", fields: removal, headers: ADMIN });
    const scopes = { "scope-read": "on", "scope-records:write": "on", "scope-channel:dry-run": "on" };
    const headers = bearer(await createToken(service, { ...scopes, properties: "ALP" }));
    const send = { action: "send", xml: countMessage() };
    const answers = {
      "the form for a category": await service.inject({ url: "/category/new?hotelCode=ALP", headers }),
      "a refused category": await post(service, { url: "/category/new", fields: { hotelCode: "ALP" }, headers }),
      "past deletions": await service.inject({ url: "/dev/logs?property=ALP&view=removal&format=json", headers }),
      "the form of the console": await post(service, { url: "/dev/channel", fields: { action: "none" }, headers }),
      "a stored message": await post(service, { url: "/dev/channel?message=1&format=json", fields: { action: "none" }, headers }),
      "a dry run": await post(service, { url: "/dev/channel", fields: send, headers }),
      "a refused dry run": await post(service, { url: "/dev/channel", fields: { ...send, profile: "none" }, headers }),
    };
    for (const [what, { body }] of Object.entries(answers)) assert.doesNotMatch(body, /\bBET\b|Bettenburg/, what);
    assert.deepEqual(
      Object.values(answers).map(({ statusCode }) => statusCode),
      [200, 422, 403, 403, 403, 200, 422],
    );
    for (const url of ["/dev/logs?view=removal", "/dev/channel?message=1", "/category/new"])
      assert.match((await service.inject({ url, headers: ADMIN })).body, /\bBET\b/, url);
  });

  test("an API token with the `channel:dry-run` scope can try messages without storing anything", async () => {
    await using service = await start();
    const token = await createToken(service, { "scope-channel:dry-run": "on" });
    const fields = { action: "send", transport: "raw", xml: countMessage() };
    const tried = await post(service, { url: "/dev/channel?format=json", fields, headers: bearer(token) });
    assert.equal(tried.statusCode, 200, tried.body);
    assert.equal(
      (await post(service, { url: "/dev/channel?format=json", fields: { ...fields, run: "apply" }, headers: bearer(token) })).statusCode,
      403,
    );
    const asConnection = await post(service, {
      url: "/dev/channel?format=json",
      fields: { ...fields, sender: "pms" },
      headers: bearer(token),
    });
    assert.deepEqual([asConnection.statusCode, asConnection.body.includes("A token cannot be used to send as a connection")], [403, true]);
    assert.equal(await statusOf(service, token, "/property?format=json"), 403);
  });

  test("an API token stops working when it expires or is revoked, and then counts as a wrong credential", async () => {
    await using service = await start();
    const brief = await createToken(service, { name: "brief", "scope-read": "on", days: "1" });
    const revoked = await createToken(service, { name: "revoked", "scope-read": "on", days: "" });
    const list = async () =>
      (await service.inject({ url: "/tools/tokens?format=json", headers: ADMIN })).json<{
        tokens: { id: number; name: string; state: string; usedAt: string | null }[];
      }>().tokens;
    assert.equal(await statusOf(service, revoked, "/property?format=json"), 200);
    const { id = 0, usedAt = null } = (await list()).find(({ name }) => name === "revoked") ?? {};
    assert.notEqual(usedAt, null);
    assert.equal(
      (await post(service, { url: "/tools/tokens", fields: { action: "revoke", id: String(id) }, headers: ADMIN })).statusCode,
      303,
    );
    assert.equal(await statusOf(service, revoked, "/property?format=json"), 401);
    assert.equal(await statusOf(service, brief, "/property?format=json"), 200);
    service.clock.set(service.clock.now() + DAY_MS);
    assert.equal(await statusOf(service, brief, "/property?format=json"), 401);
    assert.deepEqual(
      (await list()).map(({ name, state }) => [name, state]),
      [
        ["revoked", "revoked"],
        ["brief", "expired"],
      ],
    );
  });

  test("an API token has a unique name, even if several administrators choose the same name concurrently", async () => {
    await using service = await start();
    const token = { name: "report", scopes: ["read"], properties: undefined, expiresAt: undefined } as const;
    const create = () => storeToken(service.database, token, BY_TEST);
    const created = await Promise.all([create(), create(), create(), create()]);
    assert.equal(created.filter((secret) => secret !== undefined).length, 1);
  });

  test("an API token is shown once, and only its hash is stored", async () => {
    await using service = await start();
    const page = await post(service, {
      url: "/tools/tokens",
      fields: { action: "create", name: "report", "scope-read": "on" },
      headers: ADMIN,
    });
    const [token = ""] = /rrk_[\w-]+/.exec(page.body) ?? [];
    assert.equal(await statusOf(service, token, "/property?format=json"), 200);
    const rows = await service.database.read.selectFrom("api_token").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(token));
    assert.ok(!(await service.inject({ url: "/tools/tokens", headers: ADMIN })).body.includes(token));
  });

  test("an API token is refused with a clear error if its form is incomplete", async () => {
    await using service = await start();
    const errorsOf = async (fields: Fields) =>
      (await post(service, { url: "/tools/tokens?format=json", fields: { action: "create", ...fields }, headers: ADMIN })).json<{
        errors: Fields;
      }>().errors;
    assert.deepEqual(await errorsOf({ name: "", "scope-read": "on" }), { name: "Enter a name" });
    assert.deepEqual(await errorsOf({ name: "a" }), { "scope-read": "Choose at least one scope" });
    assert.deepEqual(await errorsOf({ name: "a", "scope-read": "on", properties: "ALP NOPE" }), {
      properties: "Property NOPE does not exist",
    });
    assert.match((await errorsOf({ name: "a", "scope-read": "on", days: "0" }))["days"] ?? "", /^Enter 1 to 3650 days/);
    await createToken(service, { name: "a", "scope-read": "on" });
    assert.match((await errorsOf({ name: "a", "scope-read": "on" }))["name"] ?? "", /already exists/);
  });

  test("only administrators can open the token pages", async () => {
    await using service = await start();
    assert.equal((await service.inject({ url: "/tools/tokens", headers: basic("only-for-looking", "viewer") })).statusCode, 403);
  });
});
