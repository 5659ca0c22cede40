/** Copies between the engines, with real processes where a copy is interrupted. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fillDatabase } from "../src/cli/seed/fill.ts";
import type { Database } from "../src/db/database.ts";
import { openDatabase } from "../src/db/open.ts";
import { START, startApp } from "./support/app.ts";
import { runHere } from "./support/command.ts";
import { openFresh } from "./support/databases.ts";
import { countMessage, postXml, TODAY } from "./support/hotel.ts";
import { makeDataFolder, type Settings } from "./support/process.ts";
import { until } from "./support/until.ts";

const AMOUNTS = { properties: 150, categories: 3, plans: 1, nights: 60, errors: 20, messages: 40 };
const ROOT = fileURLToPath(new URL("../", import.meta.url));

test("copies SQLite to PostgreSQL and back, even if repeatedly killed", async (t) => {
  const [source, target] = [await openFresh("SQLite"), await openFresh("PostgreSQL")];
  t.after(() => Promise.all([source.remove(), target.remove()]));
  await fillDatabase(source.database, AMOUNTS, { now: START, progress: () => {} });
  const first = await snapshot(source.database);
  await source.database.close();
  const settings = { DATA_DIR: source.place.folder };
  const to = ["--to", target.place.url!];
  for (let kills = 0; kills < 2; kills++) await copyUntilKilled(to, settings, target.database);
  const refused = await runHere(["sender", "list"], { DATA_DIR: makeDataFolder(), DATABASE_URL: target.place.url! });
  assert.match(refused.errors, /^This database is an unfinished copy of .*roomrack\.sqlite\. Run npm run copy again to finish it\.\n$/);
  const finished = await runHere(["copy", ...to], settings);
  assert.match(finished.output, /^Copied all data to PostgreSQL, .*, and verified the copy\.$/m, finished.errors);
  assert.deepEqual(await snapshot(target.database), first);

  const folder = makeDataFolder();
  const back = await runHere(["copy", "--to", folder], { DATA_DIR: makeDataFolder(), DATABASE_URL: target.place.url! });
  assert.equal(back.code, 0, back.errors);
  const again = await openDatabase(undefined, folder);
  t.after(() => again.close());
  assert.deepEqual(await snapshot(again), first);
});

test("gives new records higher ids than the copied ones", async (t) => {
  const [source, target] = [await openFresh("SQLite"), await openFresh("PostgreSQL")];
  t.after(() => Promise.all([source.remove(), target.remove()]));
  await fillDatabase(source.database, { ...AMOUNTS, properties: 2 }, { now: START, progress: () => {} });
  await source.database.close();
  const { errors, code } = await runHere(["copy", "--to", target.place.url!], { DATA_DIR: source.place.folder });
  assert.equal(code, 0, errors);
  await using service = await startApp({ database: target.database });
  const { highest } = await target.database.read
    .selectFrom("message")
    .select(({ fn }) => fn.max<number>("id").as("highest"))
    .executeTakeFirstOrThrow();
  const sent = await postXml(
    service,
    countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="C01"` }).replace("ALP", "SEED00001"),
  );
  assert.ok(Number(sent.headers["x-message-id"]) > highest, sent.body);
  assert.equal((await service.inject("/nowhere")).statusCode, 404);
  await service.errors.flush();
  assert.equal((await service.errors.list({}, { limit: 100 })).entries.length, AMOUNTS.errors + 1);
});

test("copies only into an empty database", async (t) => {
  const [source, target] = [await openFresh("SQLite"), await openFresh("PostgreSQL")];
  t.after(() => Promise.all([source.remove(), target.remove()]));
  await fillDatabase(target.database, { ...AMOUNTS, properties: 1 }, { now: START, progress: () => {} });
  const before = await snapshot(target.database);
  const { errors } = await runHere(["copy", "--to", target.place.url!], { DATA_DIR: source.place.folder });
  assert.match(errors, /^The target already contains data, in the table \w+\. Use an empty database\.\n$/);
  assert.deepEqual(await snapshot(target.database), before);
  for (const words of [[], ["--to", "mysql://host/db"], ["--from", "x"]])
    assert.match((await runHere(["copy", ...words], { DATA_DIR: source.place.folder })).errors, /^Usage: npm run copy -- --to postgres:/);
});

/** Kills the copy after its next batch. */
async function copyUntilKilled(to: readonly string[], settings: Settings, target: Database): Promise<void> {
  const before = await countCopied(target);
  const env = { PATH: process.env["PATH"] ?? "", ...settings };
  const child = spawn(process.execPath, ["src/start.mjs", "copy", ...to], { cwd: ROOT, env, stdio: "ignore" });
  await until("a copied batch", async () => (await countCopied(target)) > before);
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function countCopied({ read }: Database): Promise<number> {
  const rows = await read.selectFrom("copy_progress").select("name").execute();
  return rows.length;
}

const TABLES = [
  "property",
  "category",
  "rate_plan",
  "inventory_page",
  "message",
  "message_body",
  "night_undo",
  "error_group",
  "error_hour",
] as const;

/** All rows of the most important tables, in an order that doesn't depend on the engine. */
async function snapshot({ read }: Database): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    TABLES.map(async (table) => {
      const rows = await read
        .selectFrom(table as "property")
        .selectAll()
        .execute();
      return [table, rows.map((row) => JSON.stringify(Object.values(row).map(asText))).toSorted()] as const;
    }),
  );
  return Object.fromEntries(entries);
}

function asText(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}
