import assert from "node:assert/strict";
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPerson } from "../src/access/people.ts";
import { createToken } from "../src/access/tokens.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { textOf } from "./support/hotel.ts";
import { addSender } from "./support/senders.ts";
import { addPerson, ADMIN_PASSWORD, basic, VIEWER_PASSWORD } from "./support/sign-in.ts";

const DAY_MS = 86_400_000;
const SAFE = {
  NODE_ENV: "production",
  ADMIN_PASSWORD,
  VIEWER_PASSWORD,
  PUBLIC_URL: "https://rooms.example.com",
  TRUST_PROXY: "10.0.0.1",
  ERROR_WEBHOOK_URL: "https://hooks.example.com/path-of-the-hook",
  ERROR_WEBHOOK_SECRET: "sixteen letters!",
};
const FORWARDED = { "x-forwarded-for": "203.0.113.7" };

type View = { problems: number; checks: { title: string; state: string; found: string; why: string; remedy: string }[] };

async function problemsOf(service: TestApp, headers: Record<string, string> = basic(ADMIN_PASSWORD)): Promise<Record<string, string>> {
  const view = (await service.inject({ url: "/tools/readiness?format=json", headers })).json<View>();
  const problems = view.checks.filter(({ state }) => state === "problem");
  assert.equal(view.problems, problems.length);
  return Object.fromEntries(problems.map(({ title, found }) => [title, found]));
}

function backUp({ config }: TestApp, at: number): void {
  const file = join(config.dataDir, "backups", "nightly.sqlite");
  mkdirSync(join(config.dataDir, "backups"), { recursive: true });
  writeFileSync(file, "");
  utimesSync(file, at / 1000, at / 1000);
}

eachEngine("the readiness page", (open) => {
  test("the readiness page finds no problem in a safely configured service, and reports each problem that appears", async () => {
    await using service = await startApp({ database: await open(), settings: SAFE });
    for (const name of ["anna", "ben"]) await addPerson(service, name, "admin");
    await service.database.write.updateTable("person").set({ seen_at: START }).execute();
    backUp(service, START - DAY_MS);
    assert.deepEqual(await problemsOf(service), {});
    const tools = await service.inject({ url: "/tools", headers: basic(ADMIN_PASSWORD) });
    assert.match(textOf(tools), /Production readiness .*? no problems/);

    const by = { actor: "test", at: START };
    await addPerson(service, "carl", "viewer");
    await createPerson(service.database, { name: "dora", role: "viewer" }, by);
    for (const [name, expiresAt] of [
      ["endless", undefined],
      ["short", START + 365 * DAY_MS],
    ] as const)
      await createToken(service.database, { name, scopes: ["read"], properties: undefined, expiresAt }, by);
    await addSender(service.database, { name: "wide" });
    await addSender(service.database, { name: "narrow", hotels: ["ALP"] });
    await service.database.write
      .updateTable("sender")
      .set({ used_at: START, expires_at: START + 365 * DAY_MS })
      .where("name", "=", "narrow")
      .execute();
    chmodSync(service.config.dataDir, 0o755);
    await service.inject({ url: "/property", headers: { ...basic(ADMIN_PASSWORD), ...FORWARDED } });
    service.clock.set(START + 91 * DAY_MS);
    const found = await problemsOf(service);
    assert.match(found["There is a recent backup"] ?? "", /is from 2026-11-19T09:00:00\.000Z\.$/);
    delete found["There is a recent backup"];
    assert.deepEqual(found, {
      "The proxy is trusted": "Requests arrived through 127.0.0.1, which is not in TRUST_PROXY.",
      "DATA_DIR is private": "Other users can open DATA_DIR.",
      "All users have accepted their invitations": "dora",
      "All users have signed in": "carl",
      "API tokens have an expiry date": "endless",
      "API tokens are in use": "short, endless",
      "Sender secrets have an expiry date": "wide",
      "Senders are in use": "narrow, wide",
      "Senders are limited to their properties": "wide",
    });
    service.clock.set(START - DAY_MS);
    assert.match((await problemsOf(service))["The clock is correct"] ?? "", /^The clock was set back: the newest stored time is 20/);
  });

  test("the readiness page finds unsafe settings and shows no secrets", async () => {
    const database = await open();
    await using weak = await startApp({ database, settings: { NODE_ENV: "development", ADMIN_PASSWORD: "password1234" } });
    const found = await problemsOf(weak, basic("password1234"));
    for (const title of ["Passwords are hard to guess", "NODE_ENV is production", "Users connect over HTTPS", "Errors are reported"])
      assert.ok(found[title], title);
    await using service = await startApp({ database, settings: { ...SAFE, HOST: "0.0.0.0", TRUST_PROXY: "" } });
    assert.equal((await problemsOf(service))["Only the proxy can connect"], "The service listens on 0.0.0.0, without a trusted proxy.");
    const page = await service.inject({ url: "/tools/readiness", headers: basic(ADMIN_PASSWORD) });
    for (const secret of [ADMIN_PASSWORD, VIEWER_PASSWORD, "path-of-the-hook", "sixteen letters!"]) assert.ok(!page.body.includes(secret));
    const viewer = await service.inject({ url: "/tools/readiness", headers: basic(VIEWER_PASSWORD) });
    assert.equal(viewer.statusCode, 403);
  });

  test("the readiness page reports open access and a single administrator", async () => {
    await using service = await startApp({ database: await open() });
    const found = await problemsOf(service, {});
    assert.equal(found["Access requires signing in"], "Access is open to this machine.");
    assert.equal(found["There is more than one administrator"], "0 named administrators can sign in.");
    const page = await service.inject("/tools/readiness");
    assert.match(textOf(page), /Problems .*Access requires signing in problem .*Set ADMIN_PASSWORD or NODE_ENV=production, and restart\./s);
  });

  test("the readiness page reports a database that another version has changed", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: SAFE });
    await database.write
      .insertInto("kysely_migration" as "job")
      .values({ name: "9999-future", timestamp: "2027-01-01" } as never)
      .execute();
    assert.equal((await problemsOf(service))["The database schema is current"], "9999-future");
  });
});
