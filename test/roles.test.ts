import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { HtmlValidate } from "html-validate";
import { sql } from "kysely";
import type { Database } from "../src/db/database.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { textOf } from "./support/hotel.ts";
import { fillService } from "./support/records.ts";
import { addPerson, ADMIN_PASSWORD, basic, keepLog, PERSON_PASSWORD, postForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";
import { nameOf, type Visit, visitsOf } from "./support/visits.ts";

const ADMIN = basic(ADMIN_PASSWORD);
const VIEWER = basic(VIEWER_PASSWORD, "vera");

const ROLE_NEEDED: Readonly<Record<string, string>> = {
  "/property/new": "an editor",
  "/property/{code}/edit": "an editor",
  "/category/new": "an editor",
  "/dev/channel": "an editor",
  "/tools/property": "an editor",
  "/tools/import": "an editor",
  "/tools/import/edit": "an editor",
  "/tools/import/{id}": "an editor",
  "/tools/env": "an administrator",
  "/tools/readiness": "an administrator",
  "/dev/webhooks": "an administrator",
  "/dev/webhooks/{id}": "an administrator",
  "/tools/audit": "an administrator",
  "/tools/tokens": "an administrator",
  "/tools/users": "an administrator",
  "/tools/users/{name}": "an administrator",
};

describe("with an administrator and a viewer password", () => {
  const { logger, lines } = keepLog();
  let open: TestApp;
  let service: TestApp;
  let views: { visit: Visit; admin: LightMyRequestResponse; viewer: LightMyRequestResponse }[];

  before(async () => {
    open = await startApp();
    await fillService(open, "little");
    service = await startApp({ database: open.database, settings: TWO_ROLES, logger });
    const visits = (await visitsOf(open, "little")).filter(({ post }) => post === undefined);
    const view = (url: string, headers: typeof ADMIN) => service.inject({ url, headers: { ...headers, accept: "text/html" } });
    views = [];
    for (const visit of visits) views.push({ visit, admin: await view(visit.url, ADMIN), viewer: await view(visit.url, VIEWER) });
  });
  after(async () => {
    await service.close();
    await open.close();
  });

  test("a viewer sees every page except those that need a higher role, which explain why", () => {
    assert.ok(views.length > 50);
    for (const { visit, viewer } of views) {
      const needed = ROLE_NEEDED[visit.route];
      assert.equal(viewer.statusCode, needed === undefined ? visit.status : 403, nameOf(visit));
      if (needed !== undefined) assert.ok(viewer.body.includes(`You are signed in as a viewer. This requires ${needed}.`), nameOf(visit));
    }
  });

  test("pages don't offer administrator actions to viewers", () => {
    const offers = /method="post"|name="_csrf"|href="[^"]*\/new[?"]|href="\/property\/[^"]*\/edit|restore=|<!--/;
    const own = ["/tools/invitation", "/tools/views"];
    const forUsers = views.filter(({ visit }) => !own.includes(visit.route));
    for (const { visit, viewer } of forUsers) {
      assert.doesNotMatch(viewer.body, offers, nameOf(visit));
      assert.doesNotMatch(viewer.body, /href="\/(dev\/channel|tools\/env)/, nameOf(visit));
      assert.ok(
        viewer.cookies.every(({ name }) => name === "browser-token"),
        nameOf(visit),
      );
    }
    assert.ok(views.filter(({ admin }) => offers.test(admin.body)).length > 20, "administrators see all actions");
  });

  test("pages for viewers are valid HTML", async () => {
    const validator = new HtmlValidate({
      root: true,
      extends: ["html-validate:standard", "html-validate:a11y"],
      rules: { "prefer-native-element": "off" },
    });
    for (const { visit, viewer } of views) {
      const { results } = await validator.validateString(viewer.body);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ message }) => message)),
        [],
        nameOf(visit),
      );
    }
  });

  test("viewers see a category without its form", () => {
    const { viewer } = views.find(({ visit }) => visit.url === "/category/ALP/DBL/edit")!;
    assert.match(viewer.body, /<h1>Double room<\/h1>[^]*<dt>Number of rooms<\/dt>\s*<dd class="text">10<\/dd>[^]*History/);
  });

  test("viewers and administrators don't share cached pages", async () => {
    const request = async (headers: Record<string, string>) => {
      const { statusCode, headers: received, body } = await service.inject({ url: "/property?page=1", headers });
      return { statusCode, tag: String(received.etag), offered: body.includes("/property/new") };
    };
    for (let round = 0; round < 2; round++) {
      const admin = await request(ADMIN);
      const viewer = await request(VIEWER);
      assert.deepEqual([admin.offered, viewer.offered], [true, false]);
      assert.equal((await request({ ...VIEWER, "if-none-match": admin.tag })).statusCode, 200);
      assert.equal((await request({ ...VIEWER, "if-none-match": viewer.tag })).statusCode, 304);
      assert.equal((await request({ ...ADMIN, "if-none-match": viewer.tag })).statusCode, 200);
    }
  });

  const ACTION_MARKS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["/property/new", { code: "NEW", name: "New" }],
    ["/property/ALP/edit", { name: "Other" }],
    ["/category/new", { hotelCode: "ALP", code: "NEW", name: "New", rooms: "1" }],
    ["/category/ALP/DBL/edit", { rooms: "99" }],
    ["/dev", { action: "raise", kind: "unexpected" }],
    ["/dev/channel", { action: "send", run: "dry", xml: "<OTA_PingRQ/>" }],
    ["/dev/channel", { action: "send", run: "apply", xml: "<OTA_PingRQ/>" }],
    ["/dev/logs", { action: "remove", property: "", before: "1", sure: "on" }],
    ["/dev/logs/1", { action: "replay" }],
    ["/tools/caches", { action: "clear" }],
    ["/tools/dbsync", { action: "apply", plan: "" }],
    ["/tools/errors?view=groups", { action: "resolve", group: "1" }],
    ["/tools/errors/1", { action: "mute", for: "day" }],
    ["/", { action: "anything" }],
  ];

  test("viewers can't change anything with Basic or Bearer credentials", async () => {
    await service.errors.flush();
    const stored = await allRows(service.database);
    lines.length = 0;
    for (const [url, fields] of ACTION_MARKS) {
      for (const headers of [VIEWER, { authorization: `Bearer ${VIEWER_PASSWORD}` }]) {
        const { statusCode, body } = await postForm(service, url, { fields, headers: { ...headers, accept: "application/json" } });
        assert.equal(statusCode, 403, `${url} ${body}`);
        assert.match(
          body,
          /"class":"AccessException","message":"You are signed in as a viewer\. This requires an (editor|administrator)\. /,
          url,
        );
      }
    }
    await service.errors.flush();
    assert.deepEqual(await allRows(service.database), stored, "no error is recorded");
    const refused = lines.filter(({ msg }) => msg === "forbidden");
    assert.equal(refused.length, 2 * ACTION_MARKS.length);
    const { level, ip, user, method, route } = refused[0]!;
    assert.deepEqual(
      { level, ip, user, method, route },
      { level: 40, ip: "127.0.0.1", user: "viewer", method: "POST", route: "/property/new" },
    );
  });

  test("every route with a form refuses posts from viewers", async () => {
    const { routes } = (await open.inject("/tools/routes?format=json")).json<{
      routes: { path: string; access: string; token?: string }[];
    }>();
    for (const { path, token } of routes.filter((route) => route.token !== undefined && ["viewer", "admin"].includes(route.access))) {
      assert.ok(["always", "acting"].includes(token!), path);
      const url = path.replaceAll(/\{\w+\}/g, "1");
      const { statusCode } = await postForm(service, url, { fields: { action: "anything" }, headers: VIEWER });
      assert.equal(statusCode, 403, path);
    }
  });

  test("viewers can choose a theme, and can post to pages without an action", async () => {
    const coloured = await service.inject({ url: "/property?theme=dark", headers: VIEWER });
    assert.deepEqual([coloured.statusCode, coloured.cookies[0]?.value], [303, "dark"]);
    assert.equal((await postForm(service, "/tools", { fields: {}, headers: VIEWER })).statusCode, 200);
  });

  test("viewers can export lists, logs and tools", async () => {
    for (const url of [
      "/property?format=csv",
      "/category?format=json",
      "/category/ALP/DBL/edit?format=json",
      "/dev/logs?format=csv",
      "/tools/caches?format=json",
    ])
      assert.equal((await service.inject({ url, headers: VIEWER })).statusCode, 200, url);
  });

  test("the tools index omits tools that viewers may not see, in JSON as well", async () => {
    const slugsFor = async (headers: typeof ADMIN) => {
      const cards = (await service.inject({ url: "/tools?format=json", headers })).json<{ slug: string }[]>();
      return cards.map(({ slug }) => slug);
    };
    const viewer = new Set(await slugsFor(VIEWER));
    const hidden = (await slugsFor(ADMIN)).filter((slug) => !viewer.has(slug));
    assert.deepEqual(hidden.toSorted(), ["audit", "env", "readiness", "tokens", "users"]);
    const { body } = await service.inject({ url: "/tools", headers: VIEWER });
    for (const slug of hidden) assert.doesNotMatch(body, new RegExp(`"${slug}"|/tools/${slug}`));
  });

  test("the routes page shows which role can use each route", async () => {
    const { body } = await service.inject({ url: "/tools/routes", headers: VIEWER });
    assert.match(body, /<code>\/tools\/caches<\/code>[^]*?viewers; actions: administrators/);
    assert.match(body, /<code>\/property\/new<\/code>[^]*?data-label="Access">editors</);
  });
});

test("setting only a viewer password closes access and generates an administrator password", async (context) => {
  const output: string[] = [];
  context.mock.method(console, "log", (text: string) => output.push(text));
  await using service = await startApp({ settings: { VIEWER_PASSWORD } });
  const [, made = ""] = /password {2}(\S+)/.exec(output.join("\n")) ?? [];
  const statusOf = async (headers: Record<string, string>) => (await service.inject({ url: "/property/new", headers })).statusCode;
  assert.deepEqual([await statusOf({}), await statusOf(VIEWER), await statusOf(basic(made))], [401, 403, 200]);
});

test("the generated administrator password is refused as the viewer password", async (context) => {
  const output: string[] = [];
  context.mock.method(console, "log", (text: string) => output.push(text));
  await using first = await startApp({ settings: { NODE_ENV: "production" } });
  const [, made = ""] = /password {2}(\S+)/.exec(output.join("\n")) ?? [];
  const again = startApp({ database: first.database, settings: { NODE_ENV: "production", VIEWER_PASSWORD: made } });
  await assert.rejects(again, /VIEWER_PASSWORD equals the generated administrator password/);
});

test("empty lists don't ask viewers to create records", async () => {
  await using service = await startApp({ settings: TWO_ROLES });
  const read = async (url: string, headers: typeof ADMIN) =>
    textOf(await service.inject({ url, headers: { ...headers, accept: "text/html" } }));
  const hint = /No properties yet\.(.*)|No categories yet\.(.*) Details/;
  const hintOn = async (url: string, headers: typeof ADMIN) =>
    hint
      .exec(await read(url, headers))
      ?.slice(1)
      .join("")
      .trim();
  assert.equal(await hintOn("/property", VIEWER), "");
  assert.match((await hintOn("/property", ADMIN))!, /^Create one to add categories .* New property .* npm run seed/);
  const headers = { authorization: `Bearer ${ADMIN_PASSWORD}` };
  await postForm(service, "/property/new", { fields: { code: "ALP", name: "Alpenblick" }, headers });
  assert.equal(await hintOn("/property/ALP", VIEWER), "");
  assert.match((await hintOn("/property/ALP", ADMIN))!, /^Create one so that messages can set/);
});

const HOSTILE_NAME = "<b>דנה</b>";

test("histories and tools show the user's name, or the role that a shared password gives", async () => {
  const proxy = { PROXY_USER_HEADER: "X-Auth-User", PROXY_USER_NETWORKS: "127.0.0.1", PROXY_ADMINS: HOSTILE_NAME };
  await using service = await startApp({ settings: { ...TWO_ROLES, ...proxy } });
  const bearer = { authorization: `Bearer ${ADMIN_PASSWORD}` };
  await postForm(service, "/property/new", { fields: { code: "ALP", name: "Alpenblick" }, headers: bearer });
  await addPerson(service, "anna", "editor");
  const visitor = service.visitor();
  const byName = { "x-auth-user": Buffer.from(HOSTILE_NAME).toString("latin1") };
  for (const [name, headers] of [
    ["First", basic(PERSON_PASSWORD, "Anna ")],
    ["Second", basic(ADMIN_PASSWORD, "anyone")],
    ["Last", byName],
  ] as const) {
    await visitor.get("/property/ALP/edit", headers);
    assert.equal((await visitor.post("/property/ALP/edit", { name }, headers)).statusCode, 303);
  }
  const { body } = await service.inject({ url: "/property/ALP", headers: ADMIN });
  const userNames = [...body.matchAll(/(?:Changed|Created) by ([^]*?)<\/p>/g)].map(([, name]) => name!.trim());
  assert.deepEqual(userNames, ["<bdi>&lt;b&gt;דנה&lt;/b&gt;</bdi>", "admin", "anna", "admin"]);
  await visitor.get("/tools/caches", byName);
  await visitor.post("/tools/caches", { action: "clear" }, byName);
  assert.match((await service.inject({ url: "/tools/caches", headers: VIEWER })).body, /Last cleared[^]* by <bdi>&lt;b&gt;דנה/);
  await postForm(service, "/dev/channel", { fields: { action: "send", run: "dry", xml: "<OTA_PingRQ/>" }, headers: bearer });
  const log = (await service.inject({ url: "/dev/logs?format=json", headers: VIEWER })).json<{
    messages: { sender: string; via: string }[];
  }>();
  assert.deepEqual(
    log.messages.map(({ sender, via }) => [sender, via]),
    [["admin", "console"]],
  );
});

test("a session ends when another user signs in with the same browser", async () => {
  await using service = await startApp({ settings: TWO_ROLES });
  await addPerson(service, "ben", "editor");
  const ben = basic(PERSON_PASSWORD, "ben");
  const visitor = service.visitor();
  await visitor.get("/property/new", ADMIN);
  const [former] = await service.database.read.selectFrom("session").selectAll().execute();
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" }, ben)).statusCode, 403);
  await visitor.get("/property/new", ben);
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" }, ben)).statusCode, 303);
  const sessions = await service.database.read.selectFrom("session").selectAll().execute();
  assert.equal(sessions.length, 1);
  assert.notEqual(sessions[0]!.id_hash, former!.id_hash);
});

async function allRows({ read, catalog }: Database): Promise<Map<string, unknown[]>> {
  const tables = (await catalog.read(read)).filter(({ kind }) => kind === "table");
  const rows = new Map<string, unknown[]>();
  for (const { name } of tables) rows.set(name, (await sql`select * from ${sql.table(name)}`.execute(read)).rows);
  return rows;
}

test("the process log records failures, and sign-ins once an hour, without secrets", async () => {
  const { logger, lines } = keepLog();
  await using service = await startApp({ settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" }, logger });
  const ask = (headers: Record<string, string>, address = "203.0.113.7") =>
    service.inject({ url: "/property", headers: { ...headers, "x-forwarded-for": address } });
  for (const headers of [ADMIN, ADMIN, VIEWER, basic("guess", VIEWER_PASSWORD), {}]) await ask(headers);
  await ask(ADMIN, "203.0.113.8");
  service.clock.set(service.clock.now() + 3_599_000);
  await ask(ADMIN);
  service.clock.set(service.clock.now() + 1_000);
  await ask(ADMIN);
  await ask(ADMIN);
  service.clock.set(service.clock.now() - 3_600_000);
  await ask(ADMIN);
  const logged = lines.filter(({ msg }) => msg === "signed in" || msg === "wrong credential");
  assert.deepEqual(
    logged.map(({ msg, ip, user, role }) => [msg, ip, user, role]),
    [
      ["signed in", "203.0.113.7", "admin", "admin"],
      ["signed in", "203.0.113.7", "viewer", "viewer"],
      ["wrong credential", "203.0.113.7", undefined, undefined],
      ["signed in", "203.0.113.8", "admin", "admin"],
      ["signed in", "203.0.113.7", "admin", "admin"],
      ["signed in", "203.0.113.7", "admin", "admin"],
    ],
  );
  assert.ok(logged.every(({ reqId }) => typeof reqId === "string"));
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${ADMIN_PASSWORD}|${VIEWER_PASSWORD}|guess`));
});
