import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { METHODS } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { addSender } from "../../../test/support/senders.ts";
import { fixedClock } from "../../clock.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../db/open.ts";
import { makeDeclaredSchemas, SchemaComparison } from "./schema-comparison.ts";

const PAGES = ["", "/routes", "/modules", "/caches", "/aliases", "/env", "/phpinfo", "/request", "/dbsync"].map((page) => `/tools${page}`);
const ANY = METHODS.filter((method) => !["CONNECT", "OPTIONS", "HEAD"].includes(method));

type Routes = {
  routes: { methods: string[]; path: string; name?: string; place: string; hits: number; module: string }[];
};
type Environment = { settings: { name: string; value?: string; from: string }[]; suspects: string[] };
type Schema = {
  inStep: boolean;
  plan: string;
  steps: { subject: string; problem: string; statements: string[]; destructive: boolean; safe: boolean }[];
  pending: string[];
};

test("returns every tool page for every HTTP method", async () => {
  await using service = await startApp();
  for (const url of PAGES) {
    for (const method of ANY) {
      const response = await service.inject({ method: method as "GET", url });
      assert.equal(response.statusCode, 200, `${method} ${url}`);
      assert.match(response.body, /<h1>/, `${method} ${url}`);
      assert.equal(response.headers["cache-control"], "no-store");
    }
  }
});

test("returns every tool page as JSON", async () => {
  await using service = await startApp();
  for (const url of PAGES) {
    const response = await service.inject(`${url}?format=json`);
    assert.match(String(response.headers["content-type"]), /^application\/json/, url);
    assert.ok(Object.keys(response.json()).length > 0, url);
  }
});

test("shows the status of each tool on the index", async () => {
  await using service = await startApp();
  await sql`drop index property_name`.execute(service.database.write);
  const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
  assert.equal(cards.find((card) => card.slug === "dbsync")?.status, "1 difference");
  assert.equal(cards.find((card) => card.slug === "errors")?.status, "0 open groups, 0 in the last 24 hours");
  const page = await service.inject("/tools");
  for (const { slug, status } of cards) {
    assert.ok(page.body.includes(`/tools/${slug}"`), slug);
    assert.notEqual(status, "", slug);
  }
});

test("counts configured and misspelled settings on the index", async () => {
  const status = async (settings: Record<string, string>) => {
    await using service = await startApp({ settings });
    const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
    return cards.find(({ slug }) => slug === "env")!.status;
  };
  assert.doesNotMatch(await status({}), /misspelled/);
  assert.match(await status({ KEEP_LOG_DAYS: "30", KeepErrors: "5" }), /, 1 misspelled$/);
});

test("lists registered routes with their usage", async () => {
  await using service = await startApp();
  await service.inject("/property");
  const { routes } = (await service.inject("/tools/routes?format=json&q=property")).json<Routes>();
  const list = routes.find((route) => route.path === "/property");
  assert.deepEqual(list && { methods: list.methods, hits: list.hits, module: list.module }, {
    methods: ["GET", "HEAD"],
    hits: 1,
    module: "property",
  });
  assert.ok(routes.every((route) => JSON.stringify(route).includes("property")));
});

test("shows the name and source line of a route", async () => {
  await using service = await startApp();
  const { routes } = (await service.inject("/tools/routes?format=json")).json<Routes>();
  const named = (path: string) => routes.find((route) => route.path === path);
  for (const { path, place } of routes) {
    const [file = "", line = ""] = place.split(":");
    assert.match(file, /^src\/(?:modules\/\w+|web)(?:\/[\w-]+)+\.ts$/, path);
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8").split("\n")[Number(line) - 1] ?? "";
    assert.match(text, /app\.(?:get|post|route)|register|addAnyRoute|url/, `${path}: ${place}`);
  }
  assert.deepEqual([named("/dev/logs/{id}")?.name, named("/property")?.place.split(":")[0]], ["dev.log", "src/modules/property/routes.ts"]);
});

test("describes the values that a setting allows", async () => {
  await using service = await startApp();
  const { settings: shown } = (await service.inject("/tools/env?format=json")).json<{
    settings: { name: string; rule: string; about: string }[];
  }>();
  const rules = Object.fromEntries(shown.map(({ name, rule }) => [name, rule]));
  assert.match(rules.DATABASE_URL!, /^a URL such as postgres:\/\/user:password@host\/database, with commas between several hosts/);
  assert.deepEqual([rules.PORT, rules.DATA_DIR], ["a whole number from 0 to 65535", "text"]);
  assert.equal(rules.ADMIN_PASSWORD, "at least 12 characters, not a common password");
  assert.equal(new Set(shown.map(({ about }) => about)).size, shown.length, "each setting has its own description");
});

test("lists the folders of src/modules as modules", async () => {
  await using service = await startApp();
  const { version, faults, modules } = (await service.inject("/tools/modules?format=json")).json<{
    faults: string[];
    version: string;
    modules: { name: string; routes: string[]; aliases: string[]; jobs: string[]; loaded: number; faults: string[] }[];
  }>();
  assert.deepEqual(faults, []);
  const tools = modules.find((module) => module.name === "tools")!;
  assert.ok(tools.routes.includes("any /tools/dbsync") && tools.aliases.includes("tools.dbsync"));
  assert.match(version, /^\d+\.\d+\.\d+$/);
  for (const { name, loaded, faults: own } of modules) assert.ok(loaded > 0 && own.length === 0, name);
  assert.match(modules.find((module) => module.name === "errors")!.jobs.join(), /prunes/);
});

test("the aliases page lists no broken aliases", async () => {
  await using service = await startApp();
  const { paths, routes, parts } = (await service.inject("/tools/aliases?format=json")).json<
    Record<string, { name: string; broken: boolean }[]>
  >();
  const broken = [...paths!, ...routes!, ...parts!].filter((alias) => alias.broken);
  assert.deepEqual(broken, []);
});

test("never shows secret settings", async () => {
  const settings = { ADMIN_PASSWORD: "correct-horse-battery", ADMIN_PASSWORDS: "misspelled-secret" };
  await using service = await startApp({ settings });
  const headers = { authorization: `Basic ${Buffer.from("admin:correct-horse-battery").toString("base64")}` };
  for (const url of ["/tools/env", "/tools/env?format=json", "/tools/request", "/tools/request?format=json", "/tools/aliases"]) {
    const response = await service.inject({ url, headers });
    assert.equal(response.statusCode, 200, url);
    assert.doesNotMatch(response.body, /correct-horse|misspelled-secret|YWRtaW46/, url);
  }
  const { settings: shown, suspects } = (await service.inject({ url: "/tools/env?format=json", headers })).json<Environment>();
  const password = shown.find((setting) => setting.name === "ADMIN_PASSWORD");
  assert.equal(password?.value, "set");
  assert.equal(password?.from, "environment");
  assert.deepEqual(suspects, ["ADMIN_PASSWORDS"]);
});

test("shows proxy problems and the source of the client address on the request page", async () => {
  await using service = await startApp({
    settings: { ADMIN_PASSWORD: "correct-horse-battery", TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://rooms.example.com" },
  });
  const authorization = "Bearer correct-horse-battery";
  const headers = {
    authorization,
    host: "rooms.example.com",
    "x-forwarded-for": "192.0.2.7",
    "x-forwarded-proto": "https",
    "x-api-key": "hush-hush",
  };
  const view = (await service.inject({ url: "/tools/request?format=json&x=1", headers })).json();
  assert.equal(view.client.ip, "192.0.2.7");
  assert.equal(view.client.peer, "127.0.0.1");
  assert.match(view.client.from, /X-Forwarded-For/);
  assert.deepEqual(view.warnings, []);
  assert.equal(view.query.x, "1");
  assert.equal(view.session, false);
  assert.equal(view.headers["x-api-key"], "set");
  const direct = (await service.inject({ url: "/tools/request?format=json", headers: { authorization, host: "10.0.0.5" } })).json();
  assert.match(direct.warnings.join(" "), /no X-Forwarded-For.*PUBLIC_URL has the host rooms\.example\.com/);
  const page = async (host: string) => (await service.inject({ url: "/tools/request", headers: { ...headers, host } })).body;
  assert.match(await page("10.0.0.5"), /<div class="notice warn"><p>[^<]*PUBLIC_URL/);
  assert.doesNotMatch(await page("rooms.example.com"), /notice warn/);
});

test("shows on the request page whether there is a session", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/property/new");
  const { session, cookies } = (await visitor.get("/tools/request?format=json")).json();
  assert.deepEqual([session, cookies], [true, ["sid"]]);
});

test("shows a posted body without secrets and a command to repeat the request", async () => {
  await using service = await startApp();
  const ask = (method: "POST" | "PUT", payload: string, type: string) =>
    service.inject({ method, url: "/tools/request?format=json", headers: { "content-type": type }, payload });
  const form = (await ask("POST", "room=1&room=2&note=it's+é&password=hush", "application/x-www-form-urlencoded")).json();
  assert.deepEqual(form.body, { room: ["1", "2"], note: "it's é", password: "[redacted, 4 characters]" });
  assert.match(form.curl, /--data-raw 'room=1&room=2&note=it%27s\+%C3%A9&password=%5Bredacted/);
  const json = (await ask("PUT", '{"rooms":[1,{"a":true}]}', "application/json")).json();
  assert.deepEqual(json.body, { rooms: [1, { a: true }] });
  assert.match(json.curl, /-X PUT .*--data-raw '\{"rooms":\[1,\{"a":true\}\]\}'/s);
  const parts = '--b\r\nContent-Disposition: form-data; name="room"\r\n\r\n1\r\n--b--\r\n';
  const multipart = (await ask("POST", parts, "multipart/form-data; boundary=b")).json();
  assert.deepEqual(multipart.body, { room: "1" });
  assert.doesNotMatch(multipart.curl, /--data-raw/, "its parts are not what curl would send");
  assert.equal((await ask("POST", "<a>", "text/plain")).json().body, "<a>");
  assert.equal((await service.inject("/tools/request?format=json")).json().body, null);
  const payload = "note=<b>";
  const { body } = await service.inject({
    method: "POST",
    url: "/tools/request",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload,
  });
  assert.match(body, /<h2>Body<\/h2>[\s\S]*note[\s\S]*&lt;b&gt;/);
});

test("masks secrets in the URL and in headers with URLs", async () => {
  await using service = await startApp();
  const headers = { referer: "http://localhost/dev?token=hush", "x-trace": "password=hush" };
  const { body } = await service.inject({ url: "/tools/request?format=json&password=hush&room=1", headers });
  assert.doesNotMatch(body, /hush/);
  const { target, query, headers: shown, curl } = JSON.parse(body);
  const secret = "[redacted, 4 characters]";
  assert.equal(target, `/tools/request?format=json&password=${secret}&room=1`);
  assert.deepEqual(query, { format: "json", password: secret, room: "1" });
  assert.deepEqual([shown.referer, shown["x-trace"]], [`http://localhost/dev?token=${secret}`, `password=${secret}`]);
  assert.match(curl, /room=1/);
});

test("shows versions and the database on the runtime page", async () => {
  await using service = await startApp();
  const response = await service.inject("/tools/phpinfo");
  const { version } = await service.database.describe();
  assert.match(response.body, /# Roomrack runtime\s+## [^\n]+\n\n\| \| \|\n\|---\|---\|\n\| /);
  for (const text of [process.versions.node, process.versions.v8, process.versions.openssl, `SQLite ${version}`])
    assert.ok(response.body.includes(text), text);
});

test("shows the size and age of a cache", async () => {
  await using service = await startApp();
  const made = service.clock.now();
  await service.inject("/tools/dbsync");
  service.clock.set(made + 5_000);
  const schema = (await cachesOf(service)).caches.find((cache) => cache.name === "tools declared schema")!;
  assert.deepEqual([schema.entries, schema.oldest], [1, new Date(made).toISOString()]);
});

test("shows the age of a cached channel credential", async () => {
  await using service = await startApp();
  const secret = await addSender(service.database, { name: "pms" });
  const headers = { "content-type": "application/xml", authorization: `Basic ${btoa(`pms:${secret}`)}` };
  await service.inject({ method: "POST", url: "/channel", headers, payload: "<OTA_PingRQ/>" });
  const { caches } = await cachesOf(service);
  const oldest = Date.parse(caches.find(({ name }) => name === "channel-senders")!.oldest!);
  assert.ok(oldest >= START && oldest < START + 60_000, String(oldest));
});

test("clears a cache and records the user", async () => {
  await using service = await startApp();
  await service.inject("/tools/dbsync");
  const before = await cachesOf(service);
  assert.deepEqual(
    before.caches.filter((cache) => cache.entries > 0).map((cache) => cache.name),
    ["tools declared schema"],
  );
  const visitor = service.visitor();
  const page = await visitor.get("/tools/caches");
  assert.match(
    page.body,
    /<td class="number nowrap" data-label="Entries">1 of 1<\/td>\s*<td class="nowrap" data-label="Oldest"><time [^>]+>just now<[^<]*2026-11-20 [^]*?<\/time\s*><\/td>\s*<td class="nowrap" data-label="Lifetime">unlimited<\/td>/,
  );
  assert.match(
    page.body,
    /<td class="number nowrap" data-label="Entries">0 of 1<\/td>\s*<td class="none">–<\/td>\s*<td class="nowrap" data-label="Lifetime">1 min<\/td>/,
  );
  const unknown = await visitor.post("/tools/caches", { action: "clear", cache: "no such cache" });
  assert.equal(unknown.statusCode, 409);
  const cleared = await visitor.post("/tools/caches", { action: "clear", cache: "tools declared schema" });
  assert.equal(cleared.statusCode, 303);
  assert.match((await visitor.get("/tools/caches")).body, /Cache “tools declared schema” cleared\./);
  const after = await cachesOf(service);
  assert.equal(after.caches.find((cache) => cache.name === "tools declared schema")!.entries, 0);
  assert.deepEqual(after.clears, [{ at: new Date(service.clock.now()).toISOString(), actor: "open", caches: ["tools declared schema"] }]);
});

test("requires the form token and ignores unknown actions", async () => {
  await using service = await startApp();
  for (const url of ["/tools/caches", "/tools/dbsync"]) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const refused = await service.inject({ method: "POST", url, headers, payload: "action=clear" });
    assert.equal(refused.statusCode, 403);
    for (const payload of ["", "action=", "other=1"])
      assert.equal((await service.inject({ method: "POST", url, headers, payload })).statusCode, 200);
    const visitor = service.visitor();
    for (const action of ["unheard-of", "__proto__", "constructor"]) {
      const viewed = await visitor.post(url, { action });
      assert.equal(viewed.statusCode, 200, action);
    }
  }
  const audited = await service.database.read.selectFrom("audit").selectAll().execute();
  assert.deepEqual(audited, []);
});

eachEngine("the schema comparison", (open) => {
  test("reports and recreates a dropped index and table", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    assert.equal((await schemaOf(service)).inStep, true);
    await sql`drop index property_name`.execute(write);
    await sql`drop table message_body`.execute(write);
    await sql`alter table property drop column external_id`.execute(write);
    const found = await schemaOf(service);
    assert.deepEqual(
      found.steps.map((step) => `${step.subject} ${step.problem}`),
      ["table message_body is missing", "column property.external_id is missing", "index property_name is missing"],
    );
    const visitor = service.visitor();
    const applied = await visitor.post("/tools/dbsync", { action: "apply", plan: found.plan });
    assert.equal(applied.statusCode, 303);
    assert.match((await visitor.get("/tools/dbsync")).body, /Applied: table message_body/);
    assert.deepEqual((await schemaOf(service)).steps, []);
    const audit = await service.database.read.selectFrom("audit").select(["action", "subject"]).execute();
    assert.deepEqual({ ...audit[0] }, { action: "apply", subject: "tool:dbsync" });
  });

  test("marks and skips steps that lose data", async () => {
    await using service = await startApp({ database: await open() });
    await sql`create table somebody_elses (id text primary key)`.execute(service.database.write);
    const { steps, plan } = await schemaOf(service);
    assert.deepEqual(
      steps.map(({ subject, destructive, safe }) => ({ subject, destructive, safe })),
      [{ subject: "table somebody_elses", destructive: true, safe: false }],
    );
    const visitor = service.visitor();
    await visitor.post("/tools/dbsync", { action: "apply", plan });
    assert.equal((await schemaOf(service)).steps.length, 1);
  });

  test("quotes undeclared names in the SQL", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    const name = 'old; drop table "property"';
    await sql`create table ${sql.table(name)} (id text primary key)`.execute(write);
    await sql`alter table property add column ${sql.ref("order by")} text`.execute(write);
    const offered = (await schemaOf(service)).steps.flatMap(({ statements }) => statements);
    assert.deepEqual(offered.toSorted(), ['alter table property drop column "order by"', 'drop table "old; drop table ""property"""']);
    for (const statement of offered) await sql.raw(statement).execute(write);
    assert.equal((await schemaOf(service)).inStep, true);
  });

  test("offers the differences as a SQL script", async () => {
    await using service = await startApp({ database: await open() });
    const script = async () => /<pre id="copy-text"[^>]*>([^<]*)</.exec((await service.inject("/tools/dbsync")).body)?.[1];
    assert.equal(await script(), "-- up to date");
    await sql`create table somebody_elses (id text primary key)`.execute(service.database.write);
    assert.match((await script())!, /^-- table somebody_elses .+ \(loses data\)\ndrop table &quot;somebody_elses&quot;;$/);
  });

  test("reports and records a database error and changes nothing", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    await sql`drop index property_name`.execute(write);
    await sql`drop table message_body`.execute(write);
    await sql`create view message_body as select 1 as one`.execute(write);
    const { plan } = await schemaOf(service);
    const visitor = service.visitor();
    const refused = await visitor.post("/tools/dbsync", { action: "apply", plan });
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /The database returned an error: .*message_body/);
    assert.equal((await schemaOf(service)).steps.length, 2);
    assert.equal((await service.inject("/tools/errors?format=json")).json().errors.length, 1);
  });

  test("does not change a database from a newer version", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`.execute(write);
    await sql`drop index property_name`.execute(write);
    const { plan, steps } = await schemaOf(service);
    assert.deepEqual(
      steps.map((step) => step.safe),
      [false],
    );
    const visitor = service.visitor();
    assert.match((await visitor.get("/tools/dbsync")).body, /A newer version of Roomrack has migrated this database: 9999-from-the-future/);
    await visitor.post("/tools/dbsync", { action: "apply", plan });
    assert.equal((await schemaOf(service)).steps.length, 1);
  });

  test("refuses an outdated plan", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    await sql`drop index property_name`.execute(write);
    const { plan } = await schemaOf(service);
    await sql`drop index category_name`.execute(write);
    const visitor = service.visitor();
    const refused = await visitor.post("/tools/dbsync", { action: "apply", plan });
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /The schema has changed since/);
    assert.equal((await schemaOf(service)).steps.length, 2);
  });

  test("applies a plan once if it is submitted twice concurrently", async () => {
    await using service = await startApp({ database: await open() });
    await sql`drop index property_name`.execute(service.database.write);
    const { plan } = await schemaOf(service);
    const visitors = [service.visitor(), service.visitor()];
    for (const visitor of visitors) await visitor.get("/tools/dbsync");
    const answers = await Promise.all(visitors.map((visitor) => visitor.post("/tools/dbsync", { action: "apply", plan })));
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [303, 409]);
    assert.deepEqual((await schemaOf(service)).steps, []);
  });

  test("creates missing tables in order of their references", async () => {
    await using service = await startApp({ database: await open() });
    for (const table of ["category", "rate_plan", "property"]) await sql`drop table ${sql.table(table)}`.execute(service.database.write);
    const { plan, steps } = await schemaOf(service);
    assert.deepEqual(
      steps.map(({ subject }) => subject),
      ["table property", "table category", "table rate_plan"],
    );
    const visitor = service.visitor();
    await visitor.post("/tools/dbsync", { action: "apply", plan });
    assert.deepEqual((await schemaOf(service)).steps, []);
  });
});

test("backs up SQLite before a repair", async () => {
  await using service = await startApp();
  await sql`drop index property_name`.execute(service.database.write);
  const { plan } = await schemaOf(service);
  const visitor = service.visitor();
  await visitor.post("/tools/dbsync", { action: "apply", plan });
  const copy = join(service.config.dataDir, "backups", "before-dbsync-2026-11-20T09-00-00Z.sqlite");
  assert.ok(existsSync(copy));
  writeFileSync(`${copy}.unfinished`, "what a killed process left of a later one");
  writeFileSync(`${copy}.unfinished`, "of a process that died");
  const lastBackup = /Last backup:.*<code>(.*)<\/code>/.exec((await visitor.get("/tools/dbsync")).body);
  assert.equal(lastBackup?.[1], copy);
});

test("runs pending migrations", async () => {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-tools-"));
  const database = await openDatabase(undefined, folder);
  try {
    const config = readConfig({ DATA_DIR: folder });
    const clock = fixedClock(START);
    const comparison = new SchemaComparison(makeDeclaredSchemas(), clock);
    const found = await comparison.compare(database);
    assert.equal(found.steps[0]?.subject, "migration 0001-first-tables");
    assert.equal(found.steps.length, found.pending.length);
    const { backup } = await comparison.apply({ database, config, clock }, found.hash);
    assert.deepEqual((await comparison.compare(database)).steps, []);
    assert.equal(backup, undefined, "an empty database needs no backup");
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function schemaOf(service: { inject(url: string): Promise<{ json<T>(): T }> }): Promise<Schema> {
  return (await service.inject("/tools/dbsync?format=json")).json<Schema>();
}

type CachesFound = {
  caches: { name: string; entries: number; oldest?: string }[];
  clears: { at: string; actor: string; caches: string[] }[];
};

async function cachesOf(service: { inject(url: string): Promise<{ json<T>(): T }> }): Promise<CachesFound> {
  return (await service.inject("/tools/caches?format=json")).json<CachesFound>();
}
