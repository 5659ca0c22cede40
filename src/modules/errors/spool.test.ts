import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { allMessages, countRows, newest } from "../../../test/support/error-log.ts";
import type { Database } from "../../db/database.ts";
import { ErrorLog } from "./recorder.ts";

eachEngine("the spool of the error log", (open) => {
  test("keeps entries in a file while the database is away, and takes them in once when it is back", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await takeAway(database);
    assert.equal((await service.inject("/while-away")).statusCode, 404);
    await service.errors.flush();
    assert.match(readSpool(service.config.dataDir), /while-away/);
    await bringBack(database);
    await service.inject("/back-again");
    await service.errors.takeIn();
    assert.deepEqual((await allMessages(service.errors)).toSorted(), [
      "Route 'GET /back-again' not found",
      "Route 'GET /while-away' not found",
    ]);
    assert.equal(readSpool(service.config.dataDir), "");
  });

  test("stores no entry twice when the database took it and did not say so", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    const errors = new ErrorLog({ database: losingAnswer(database), clock: service.clock, dataDir, keepDays: 1, keep: 10 });
    await errors.record(new Error("once"), undefined);
    assert.match(readSpool(dataDir), /once/);
    assert.equal(await countRows(database), 1);
    await errors.takeIn();
    assert.equal(readSpool(dataDir), "");
    assert.deepEqual(await allMessages(errors), ["once"]);
    await errors.close();
  });

  test("takes in at the start what a process that ended left behind, and skips half a line", async () => {
    const database = await open();
    await using service = await startApp({ database });
    service.errors.recordFatal(new TypeError("the last words"));
    assert.match(readSpool(service.config.dataDir), /the last words/);
    appendFileSync(join(service.config.dataDir, "errors-spool.jsonl"), '{"key":"half');
    const options = { database, clock: service.clock, dataDir: service.config.dataDir, keepDays: 1, keep: 10 };
    const next = new ErrorLog(options);
    const entry = await newest(next);
    await next.close();
    assert.deepEqual([entry.class, entry.message, entry.status, entry.caught], ["TypeError", "the last words", 500, false]);
    assert.deepEqual(entry.detail.server, {});
    assert.equal(await countRows(database), 1);
  });

  test("keeps entries in memory when the folder cannot be written either", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const errors = new ErrorLog({ database, clock: service.clock, dataDir: "/dev/null/nowhere", keepDays: 1, keep: 10 });
    await takeAway(database);
    assert.deepEqual(await errors.record(new Error("nowhere to go"), undefined), { id: undefined });
    await bringBack(database);
    assert.equal((await newest(errors)).message, "nowhere to go");
    await errors.close();
  });
});

async function takeAway(database: Database): Promise<void> {
  await sql`alter table error_entry rename to error_entry_away`.execute(database.write);
}

async function bringBack(database: Database): Promise<void> {
  await sql`alter table error_entry_away rename to error_entry`.execute(database.write);
}

/** The same database over a line that breaks after the first commit, before its answer comes. */
function losingAnswer(database: Database): Database {
  let lost = false;
  return {
    ...database,
    async commit(batch) {
      const result = await database.commit(batch);
      if (lost) return result;
      lost = true;
      throw new Error("the connection was lost");
    },
  };
}

function readSpool(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.startsWith("errors-spool"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
