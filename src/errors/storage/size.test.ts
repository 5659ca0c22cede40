import assert from "node:assert/strict";
import { mkdtempDisposableSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { allMessages, countRows, readSpool } from "../../../test/support/error-log.ts";
import { migrateBefore } from "../../../test/support/older-schema.ts";
import type { Database } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open.ts";
import { fallbackEntry } from "../describe/error.ts";
import { ErrorLog } from "../recorder.ts";
import { OVERSIZE_RULE, SPOOL_FULL_RULE } from "../rules.ts";
import { readSize } from "./store.ts";

const MB = 2 ** 20;
const KEEP_ERRORS_MB = "1";

eachEngine("the stored size of the error log", (open, makePlace) => {
  test("the stored size of the error log includes entries written by an older version, and shrinks when they are pruned", async () => {
    const place = await makePlace();
    using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
    const database = await openDatabase(place.url, folder.path);
    try {
      await migrateBefore(database, "0014");
      for (let index = 0; index < 60; index++) await insertOld(database, index);
      await migrate(database);
      assert.equal(await readSize(database), 60 * (OLD_BYTES + 200));
      await using service = await startApp({ database, settings: { KEEP_ERRORS_MB } });
      await service.errors.prune();
      const messages = await allMessages(service.errors);
      assert.deepEqual([messages.length, messages[0], messages.at(-1)], [17, "ö59", "ö43"]);
      assert.equal(await readSize(database), 17 * (OLD_BYTES + 200));
    } finally {
      await database.close();
    }
  });

  test("the stored size of the error log matches the entries after recording, spooling and pruning", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS: "1000" } });
    for (let index = 0; index < 600; index++) await service.inject(`/é“${index}`);
    service.errors.recordFatal(new TypeError("last words: ö \ud83d \0"));
    await service.errors.drainSpool();
    for (let index = 0; index < 600; index++) await service.inject({ url: `/${index}`, headers: { "x-quotes": '"\\'.repeat(100) } });
    await service.errors.flush();
    assert.equal(await readSize(database), await sizeOfRows(database));
    // Entries are counted by their ids, which have gaps after a batch that PostgreSQL refused and that was stored row by row.
    assert.ok((await service.errors.prune()) >= 201);
    assert.equal(await readSize(database), await sizeOfRows(database));
  });

  test("the stored size of the error log is reduced once if several processes prune concurrently", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    for (let index = 0; index < 150; index++) await service.inject({ url: `/${index}`, headers: longHeaders() });
    await service.errors.flush();
    const { clock, config } = service;
    const others = await Promise.all([open(place), open(place)]);
    const logs = others.map(
      (other) => new ErrorLog({ database: other, clock, dataDir: config.dataDir, keepDays: 9, keep: 9_999, keepBytes: MB / 2 }),
    );
    await Promise.all(logs.map((log) => log.prune()));
    const size = await readSize(database);
    assert.equal(size, await sizeOfRows(database));
    assert.ok(size <= MB / 2 && size > MB / 3, `${size}`);
    for (const log of logs) await log.close();
  });

  test("the stored size of the error log is corrected after entries are deleted manually", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS_MB } });
    for (let index = 0; index < 100; index++) await service.inject({ url: `/${index}`, headers: longHeaders() });
    await service.errors.flush();
    await database.write.deleteFrom("error_entry").execute();
    await database.write
      .updateTable("error_size")
      .set({ bytes: 2 * MB })
      .execute();
    await service.errors.prune();
    assert.equal(await readSize(database), 0);
    await service.inject("/after");
    await service.errors.prune();
    assert.deepEqual(await allMessages(service.errors), ["Route 'GET /after' not found"]);
  });
});

eachEngine("during a database outage, the error log", (open) => {
  test("limits the spool to half the size limit of the error log and counts the entries that do not fit", async () => {
    const database = await open();
    let unavailable = true;
    const commit: Database["commit"] = (batch) => (unavailable ? Promise.reject(new Error("unavailable")) : database.commit(batch));
    await using service = await startApp({ database: { ...database, commit }, settings: { KEEP_ERRORS_MB } });
    for (let index = 0; index < 2_499; index++) await service.inject({ url: `/${index}`, headers: longHeaders() });
    await service.errors.flush();
    service.errors.recordFatal(new TypeError("x".repeat(58_000)));
    assert.ok(spoolBytes(service.config.dataDir) <= MB / 2, `${spoolBytes(service.config.dataDir)}`);
    assert.ok(spoolBytes(service.config.dataDir) > MB / 3);
    unavailable = false;
    await service.errors.drainSpool();
    await service.errors.prune();
    const counts = [...(await service.errors.listSkipped()), ...(await service.errors.listTrimmed())];
    const count = (rule: string) => counts.find((counted) => counted.rule === rule)?.count ?? 0;
    assert.ok(count(SPOOL_FULL_RULE) > 1_000);
    assert.equal(count(SPOOL_FULL_RULE) + count(OVERSIZE_RULE) + (await countRows(database)), 2_500);
  });

  test("spools the newest entries if not all of them fit", async () => {
    const database = await open();
    await using service = await startApp({ database });
    using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
    const commit: Database["commit"] = () => Promise.reject(new Error("unavailable"));
    const options = { clock: service.clock, dataDir: folder.path, keepDays: 9, keep: 9_999, keepBytes: MB / 10 };
    const log = new ErrorLog({ ...options, database: { ...database, commit } });
    for (let index = 0; index < 500; index++) log.add(() => fallbackEntry(`entry ${index}`, index), index);
    log.recordFatal(new TypeError("last words"));
    assert.match(readSpool(folder.path), /last words/);
    assert.ok(spoolBytes(folder.path) <= MB / 20);
    await log.close();
  });

  test("keeps at most 16 MB in memory and spools the rest", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const held = Promise.withResolvers<void>();
    const commit: Database["commit"] = (batch) => held.promise.then(() => database.commit(batch));
    using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
    const log = new ErrorLog({ database: { ...database, commit }, clock: service.clock, dataDir: folder.path, keepDays: 9, keep: 9_999 });
    for (let index = 0; index < 2_000; index++) log.add(() => bigEntry(index), index);
    const spooled = spoolBytes(folder.path);
    assert.ok(spooled > 16 * MB, `${spooled} bytes in the file`);
    held.resolve();
    await log.flush();
    await log.drainSpool();
    assert.equal(await countRows(database), 2_000);
    await log.close();
  });
});

/** The first version kept up to 64 kB of context. */
const OLD_DETAIL = JSON.stringify({ ...fallbackEntry("old", START).detail, server: { HTTP_X_FILLER: "x".repeat(60_000) } });
const OLD_BYTES = Buffer.byteLength(`Error${"ö00"}${OLD_DETAIL}`);

async function insertOld({ write }: Database, index: number): Promise<void> {
  const message = `ö${String(index).padStart(2, "0")}`;
  await sql`insert into error_entry (at, class, message, source, caught, status, detail)
    values (${START + index}, 'Error', ${message}, 'php', 0, 500, ${OLD_DETAIL})`.execute(write);
}

function longHeaders(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`x-filler-${index}`, "y".repeat(900)]));
}

/** Large even without its context, which repeated errors don't keep. */
function bigEntry(at: number) {
  const entry = fallbackEntry("big", at);
  return {
    ...entry,
    message: `big ${"ghij"[at % 4]}`,
    detail: { ...entry.detail, object: { ...entry.detail.object, file: "f".repeat(20_000) } },
  };
}

async function sizeOfRows({ read }: Database): Promise<number> {
  const rows = await read.selectFrom("error_entry").select(["class", "message", "detail"]).execute();
  return rows.reduce((sum, row) => sum + Buffer.byteLength(row.class + row.message + row.detail) + 200, 0);
}

function spoolBytes(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.startsWith("errors-"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
