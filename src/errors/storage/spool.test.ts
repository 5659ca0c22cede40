import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { allMessages, countRows, failingAfterCommit, newest, readSpool } from "../../../test/support/error-log.ts";
import type { Database } from "../../db/database.ts";
import { fallbackEntry } from "../describe/error.ts";
import { ErrorLog } from "../recorder.ts";
import { ErrorSpool } from "./spool.ts";
import { type NewErrorRow, toRow } from "./store.ts";

const FLOOD = 4_000;
const CONGESTION = 2_500;
eachEngine("the spool of the error log", (open, makePlace) => {
  test("keeps entries in a file during a database outage, then stores each one once", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await breakTable(database);
    assert.equal((await service.inject("/during-outage")).statusCode, 404);
    await service.errors.flush();
    assert.match(readSpool(service.config.dataDir), /during-outage/);
    const [file] = readdirSync(service.config.dataDir);
    const { mode } = statSync(join(service.config.dataDir, file!));
    assert.equal((mode & 0o777).toString(8), "600");
    await repairTable(database);
    await service.inject("/afterwards");
    await service.errors.drainSpool();
    assert.deepEqual((await allMessages(service.errors)).toSorted(), [
      "Route 'GET /afterwards' not found",
      "Route 'GET /during-outage' not found",
    ]);
    assert.equal(readSpool(service.config.dataDir), "");
  });

  test("does not store an entry twice if the database's response is lost", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    const errors = new ErrorLog({ database: failingAfterCommit(database), clock: service.clock, dataDir, keepDays: 1, keep: 10 });
    await errors.record(new Error("once"), undefined);
    assert.match(readSpool(dataDir), /once/);
    assert.equal(await countRows(database), 1);
    await errors.drainSpool();
    assert.equal(readSpool(dataDir), "");
    assert.deepEqual(await allMessages(errors), ["once"]);
    await errors.close();
  });

  test("stores the entries spooled by an earlier process and skips invalid lines", async () => {
    const database = await open();
    await using service = await startApp({ database });
    service.errors.recordFatal(new TypeError("last words"));
    assert.match(readSpool(service.config.dataDir), /last words/);
    appendFileSync(join(service.config.dataDir, "errors-spool.jsonl"), '{}\n{"key":"half');
    const options = { database, clock: service.clock, dataDir: service.config.dataDir, keepDays: 1, keep: 10 };
    const next = new ErrorLog(options);
    const entry = await newest(next);
    await next.close();
    assert.deepEqual([entry.class, entry.message, entry.status, entry.caught], ["TypeError", "last words", 500, false]);
    assert.deepEqual(entry.detail.server, {});
    assert.equal(await countRows(database), 1);
  });

  test("loses no entry after an incomplete line", async () => {
    const database = await open();
    await using service = await startApp({ database });
    appendFileSync(join(service.config.dataDir, "errors-spool.jsonl"), '{"key":"half');
    service.errors.recordFatal(new TypeError("next words"));
    await service.errors.drainSpool();
    assert.deepEqual(await allMessages(service.errors), ["next words"]);
  });

  test("ignores unreadable spool files", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    mkdirSync(join(dataDir, "errors-spool.taken-0.jsonl"));
    writeFileSync(join(dataDir, "errors-spool.taken-1.jsonl"), "{}", { mode: 0 });
    service.errors.recordFatal(new TypeError("last words"));
    const options = { database, clock: service.clock, dataDir, keepDays: 1, keep: 10 };
    const next = new ErrorLog(options);
    await next.record(new Error("next words"), undefined);
    assert.deepEqual((await allMessages(next)).toSorted(), ["last words", "next words"]);
    await next.close();
  });

  test("moves a rejected row to another file and stores the others", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    for (const reason of ["first", "second"]) service.errors.recordFatal(new Error(reason));
    const [row] = readSpool(dataDir).split("\n").filter(Boolean);
    const rejectedRows = [{ at: "never" }, { class: null }, { group: null }].map((fault, at) =>
      JSON.stringify({ ...JSON.parse(row!), key: `rejected-${at}`, ...fault }),
    );
    appendFileSync(join(dataDir, "errors-spool.jsonl"), rejectedRows.join("\n"));
    service.errors.recordFatal(new Error("third"));
    await service.errors.drainSpool();
    await service.errors.record(new Error("fourth"), undefined);
    assert.deepEqual((await allMessages(service.errors)).toSorted(), ["first", "fourth", "second", "third"]);
    assert.deepEqual(readdirSync(dataDir), ["errors-refused.jsonl"]);
    assert.deepEqual(readFileSync(join(dataDir, "errors-refused.jsonl"), "utf8").split("\n").filter(Boolean), rejectedRows);
  });

  test("counts a rejected row that cannot be written to disk", async () => {
    await using service = await startApp({ database: await open() });
    const { dataDir } = service.config;
    mkdirSync(join(dataDir, "errors-refused.jsonl"));
    service.errors.recordFatal(new Error("taken"));
    const rejected = { ...JSON.parse(readSpool(dataDir)), key: "rejected", at: "never" };
    appendFileSync(join(dataDir, "errors-spool.jsonl"), JSON.stringify(rejected));
    await service.errors.drainSpool();
    assert.deepEqual(
      (await service.errors.listSkipped()).map(({ count }) => count),
      [1],
    );
  });

  test("the spool uses at most two files, even during a long outage", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    await breakTable(database);
    for (let round = 0; round < 5; round++) {
      service.errors.recordFatal(new Error(`round ${round}`));
      await service.errors.drainSpool();
    }
    assert.equal(readdirSync(dataDir).length, 2);
    await repairTable(database);
    await service.errors.drainSpool();
    assert.deepEqual(readdirSync(dataDir), []);
    assert.equal(await countRows(database), 5);
  });

  test("the spool stays empty if entries are added while the log closes", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    const held = Promise.withResolvers<void>();
    const commit: Database["commit"] = (batch) => held.promise.then(() => database.commit(batch));
    const errors = new ErrorLog({ database: { ...database, commit }, clock: service.clock, dataDir, keepDays: 1, keep: 10 });
    errors.add(() => fallbackEntry("first", 1), 1);
    void errors.flush();
    const closed = errors.close();
    await nextTurn();
    errors.add(() => fallbackEntry("cut off", 2), 2);
    held.resolve();
    await closed;
    assert.equal(await countRows(database), 2);
    assert.deepEqual(
      readdirSync(dataDir).filter((file) => file.includes("spool")),
      [],
    );
  });

  test("the spool absorbs a flood of errors while the database is blocked and stores each entry once", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    const blocked = await blockTable(await open(place));
    for (let at = 0; at < FLOOD; at++) service.errors.add(() => fallbackEntry("flood", at), at);
    assert.ok(readSpool(service.config.dataDir).split("\n").length > FLOOD / 2);
    await blocked.release();
    await service.errors.flush();
    await service.errors.drainSpool();
    assert.equal(readSpool(service.config.dataDir), "");
    assert.equal(await countRows(database), FLOOD);
  });

  test("delays requests that cause errors by up to a second while too many entries are pending", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    const blocked = await blockTable(await open(place));
    for (let at = 0; at < CONGESTION; at++) service.errors.add(() => fallbackEntry("congestion", at), at);
    const answered: number[] = [];
    const ask = () => service.inject("/one-more").then(({ statusCode }) => answered.push(statusCode));
    const first = ask();
    for (let others = 0; others < 3; others++) assert.equal((await service.inject("/property")).statusCode, 200);
    assert.deepEqual(answered, []);
    for (; answered.length === 0; await nextTurn()) t.mock.timers.tick(1_000);
    await first;
    assert.deepEqual(answered, [404]);
    const second = ask();
    await blocked.release();
    await second;
    assert.deepEqual(answered, [404, 404]);
    t.mock.timers.reset();
  });

  test("the spool includes the current batch when the process ends", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    const blocked = await blockTable(await open(place));
    service.errors.add(() => fallbackEntry("one", 1), 1);
    const stored = service.errors.flush();
    service.errors.recordFatal(new TypeError("last words"));
    assert.equal(readSpool(service.config.dataDir).split("\n").filter(Boolean).length, 2);
    await blocked.release();
    await stored;
    await service.errors.drainSpool();
    assert.equal(await countRows(database), 2);
  });

  test("does not retry a failing database for every entry", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    t.mock.method(performance, "now", () => 0);
    const database = await open();
    await using service = await startApp({ database });
    let attempts = 0;
    const commit: Database["commit"] = async () => {
      attempts++;
      throw new Error("unavailable");
    };
    const { clock, config } = service;
    const errors = new ErrorLog({ database: { ...database, commit }, clock, dataDir: config.dataDir, keepDays: 1, keep: 10 });
    for (const text of ["one", "two", "three"]) await errors.record(new Error(text), undefined);
    assert.equal(attempts, 1);
    for (const text of ["one", "two", "three"]) assert.match(readSpool(config.dataDir), new RegExp(`"${text}"`));
    await errors.close();
  });

  test("keeps entries in memory if the folder is not writable", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const errors = new ErrorLog({ database, clock: service.clock, dataDir: "/dev/null/nowhere", keepDays: 1, keep: 10 });
    await breakTable(database);
    assert.deepEqual(await errors.record(new Error("nowhere to go"), undefined), { id: undefined });
    await repairTable(database);
    assert.equal((await newest(errors)).message, "nowhere to go");
    await errors.close();
  });

  test("limits the spool file to 256 MB and keeps later entries in memory", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const file = join(service.config.dataDir, "errors-spool.jsonl");
    const full = 256 * 1024 * 1024 + 1;
    await breakTable(database);
    appendFileSync(file, "");
    truncateSync(file, full);
    await service.errors.record(new Error("no room"), undefined);
    assert.equal(statSync(file).size, full);
    rmSync(file);
    await repairTable(database);
    await service.errors.drainSpool();
    assert.equal((await newest(service.errors)).message, "no room");
  });

  test("logs the start and cause of an outage, and when the spooled entries are stored", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const messages: string[] = [];
    const warn = (error: unknown, message: string) => void messages.push(`${message}: ${String(error)}`);
    service.errors.logTo({ warn, info: (message) => void messages.push(message) });
    await breakTable(database);
    for (const text of ["one", "two"]) await service.errors.record(new Error(text), undefined);
    await service.errors.drainSpool();
    await repairTable(database);
    await service.errors.drainSpool();
    await service.errors.record(new Error("three"), undefined);
    assert.equal(messages.length, 2);
    assert.match(messages[0]!, /^database unavailable; spooling errors to DATA_DIR: .*error_entry/);
    assert.equal(messages[1], "database available again; spooled errors stored");
  });

  test("keeps only the newest thousand entries in memory", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const errors = new ErrorLog({ database, clock: service.clock, dataDir: "/dev/null/nowhere", keepDays: 1, keep: 10 });
    await breakTable(database);
    for (let at = 0; at < 1_200; at++) errors.add(() => fallbackEntry("kept", at), at);
    await errors.flush();
    await repairTable(database);
    await errors.drainSpool();
    const { oldest } = await database.read
      .selectFrom("error_entry")
      .select((of) => of.fn.min("at").as("oldest"))
      .executeTakeFirstOrThrow();
    assert.deepEqual([await countRows(database), oldest], [1_000, 200]);
    const skipped = (await errors.listSkipped()).map(({ rule, count }) => ({ rule, count }));
    assert.deepEqual(skipped, [{ rule: "spool full", count: 200 }]);
    await errors.close();
  });
});

test("the spool takes over another process's file only after that process has ended", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "inherit"] });
  const line = JSON.stringify(toRow({ ...fallbackEntry("waits", 1), message: "of the other process" }));
  for (const name of ["", ".taken-000000"]) writeFileSync(join(folder.path, `errors-spool.${other.pid}-a${name}.jsonl`), line);
  const stored: string[] = [];
  const store = async (rows: readonly NewErrorRow[]) => void stored.push(...rows.map(({ message }) => message));
  const whileItRuns = new ErrorSpool(folder.path, { maxBytes: 1e6, onLost: () => {} });
  await whileItRuns.drain(store);
  assert.deepEqual([stored, whileItRuns.hasRows], [[], false]);
  other.stdin.end();
  await once(other, "exit");
  const next = new ErrorSpool(folder.path, { maxBytes: 1e6, onLost: () => {} });
  assert.equal(next.hasRows, true);
  await next.drain(store);
  assert.deepEqual(stored, ["of the other process", "of the other process"]);
  assert.deepEqual(readdirSync(folder.path), []);
});

test("the spool keeps entries that are added while it is drained", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
  const spool = new ErrorSpool(folder.path, { maxBytes: 1e6, onLost: () => {} });
  const rowOf = (message: string) => toRow({ ...fallbackEntry("spooled", 1), message });
  spool.append([rowOf("first")]);
  const stored: string[] = [];
  const store = async (rows: readonly NewErrorRow[]) => {
    if (stored.length === 0) spool.append([rowOf("second")]);
    stored.push(...rows.map(({ message }) => message));
  };
  await spool.drain(store);
  assert.deepEqual([stored, spool.hasRows], [["first"], true]);
  await spool.drain(store);
  assert.deepEqual([stored, spool.hasRows], [["first", "second"], false]);
});

async function breakTable(database: Database): Promise<void> {
  await sql`alter table error_entry rename to error_entry_broken`.execute(database.write);
}

async function repairTable(database: Database): Promise<void> {
  await sql`alter table error_entry_broken rename to error_entry`.execute(database.write);
}

/** Locks the error table from another connection until `release`, then rolls back. */
async function blockTable(other: Database): Promise<{ release(): Promise<void> }> {
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const changing = other.write.transaction().execute(async (db) => {
    await sql`alter table error_entry add column more text`.execute(db);
    started.resolve();
    return ended.promise;
  });
  await started.promise;
  return {
    async release() {
      ended.reject(new Error("rolled back"));
      await assert.rejects(changing, /rolled back/);
    },
  };
}
