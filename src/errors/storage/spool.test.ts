import assert from "node:assert/strict";
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
import { allMessages, countRows, losingAnswer, newest } from "../../../test/support/error-log.ts";
import type { Database } from "../../db/database.ts";
import { fallbackEntry, toRow } from "../describe/row.ts";
import { ErrorLog } from "../recorder.ts";
import { Spool } from "./spool.ts";
import type { NewErrorRow } from "./store.ts";

const FLOOD = 4_000;
const CROWD = 2_500;
eachEngine("the spool of the error log", (open, makePlace) => {
  test("keeps entries in a file while the database is away, and takes them in once when it is back", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await takeAway(database);
    assert.equal((await service.inject("/while-away")).statusCode, 404);
    await service.errors.flush();
    assert.match(readSpool(service.config.dataDir), /while-away/);
    const { mode } = statSync(join(service.config.dataDir, "errors-spool.jsonl"));
    assert.equal((mode & 0o777).toString(8), "600");
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

  test("takes in at the start what a process that ended left behind, and skips what is no entry", async () => {
    const database = await open();
    await using service = await startApp({ database });
    service.errors.recordFatal(new TypeError("the last words"));
    assert.match(readSpool(service.config.dataDir), /the last words/);
    appendFileSync(join(service.config.dataDir, "errors-spool.jsonl"), '{}\n{"key":"half');
    const options = { database, clock: service.clock, dataDir: service.config.dataDir, keepDays: 1, keep: 10 };
    const next = new ErrorLog(options);
    const entry = await newest(next);
    await next.close();
    assert.deepEqual([entry.class, entry.message, entry.status, entry.caught], ["TypeError", "the last words", 500, false]);
    assert.deepEqual(entry.detail.server, {});
    assert.equal(await countRows(database), 1);
  });

  test("loses no entry behind half a line, such as a full disk leaves", async () => {
    const database = await open();
    await using service = await startApp({ database });
    appendFileSync(join(service.config.dataDir, "errors-spool.jsonl"), '{"key":"half');
    service.errors.recordFatal(new TypeError("the next words"));
    await service.errors.takeIn();
    assert.deepEqual(await allMessages(service.errors), ["the next words"]);
  });

  test("goes on without files that cannot be read, such as one that root left behind", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    mkdirSync(join(dataDir, "errors-spool.taken-0.jsonl"));
    writeFileSync(join(dataDir, "errors-spool.taken-1.jsonl"), "{}", { mode: 0 });
    service.errors.recordFatal(new TypeError("the last words"));
    const options = { database, clock: service.clock, dataDir, keepDays: 1, keep: 10 };
    const next = new ErrorLog(options);
    await next.record(new Error("the next words"), undefined);
    assert.deepEqual((await allMessages(next)).toSorted(), ["the last words", "the next words"]);
    await next.close();
  });

  test("puts aside the one row that no database takes, and takes in the others", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    for (const reason of ["first", "second"]) service.errors.recordFatal(new Error(reason));
    const [row] = readSpool(dataDir).split("\n").filter(Boolean);
    const poisons = [{ at: "never" }, { class: null }, { group: null }].map((fault, at) =>
      JSON.stringify({ ...JSON.parse(row!), key: `poison-${at}`, ...fault }),
    );
    appendFileSync(join(dataDir, "errors-spool.jsonl"), poisons.join("\n"));
    service.errors.recordFatal(new Error("third"));
    await service.errors.takeIn();
    await service.errors.record(new Error("fourth"), undefined);
    assert.deepEqual((await allMessages(service.errors)).toSorted(), ["first", "fourth", "second", "third"]);
    assert.deepEqual(readdirSync(dataDir), ["errors-refused.jsonl"]);
    assert.deepEqual(readFileSync(join(dataDir, "errors-refused.jsonl"), "utf8").split("\n").filter(Boolean), poisons);
  });

  test("counts the row that neither a database nor the disk takes", async () => {
    await using service = await startApp({ database: await open() });
    const { dataDir } = service.config;
    mkdirSync(join(dataDir, "errors-refused.jsonl"));
    service.errors.recordFatal(new Error("taken"));
    const poison = { ...JSON.parse(readSpool(dataDir)), key: "poison", at: "never" };
    appendFileSync(join(dataDir, "errors-spool.jsonl"), JSON.stringify(poison));
    await service.errors.takeIn();
    assert.deepEqual(
      (await service.errors.listDrops()).map(({ count }) => count),
      [1],
    );
  });

  test("has at most two files, however long the database is away", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    await takeAway(database);
    for (let round = 0; round < 5; round++) {
      service.errors.recordFatal(new Error(`round ${round}`));
      await service.errors.takeIn();
    }
    assert.equal(readdirSync(dataDir).length, 2);
    await bringBack(database);
    await service.errors.takeIn();
    assert.deepEqual(readdirSync(dataDir), []);
    assert.equal(await countRows(database), 5);
  });

  test("is left alone when the log is closed while more comes in", async () => {
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

  test("takes a flood that the database holds up, and hands every entry on once", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    const held = await holdUp(await open(place));
    for (let at = 0; at < FLOOD; at++) service.errors.add(() => fallbackEntry("flood", at), at);
    assert.ok(readSpool(service.config.dataDir).split("\n").length > FLOOD / 2);
    await held.letGo();
    await service.errors.flush();
    await service.errors.takeIn();
    assert.equal(readSpool(service.config.dataDir), "");
    assert.equal(await countRows(database), FLOOD);
  });

  test("holds up who makes more errors while too many of them wait, for a second", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    const held = await holdUp(await open(place));
    for (let at = 0; at < CROWD; at++) service.errors.add(() => fallbackEntry("crowd", at), at);
    const answered: number[] = [];
    const ask = () => service.inject("/one-more").then(({ statusCode }) => answered.push(statusCode));
    const first = ask();
    for (let others = 0; others < 3; others++) assert.equal((await service.inject("/property")).statusCode, 200);
    assert.deepEqual(answered, []);
    for (; answered.length === 0; await nextTurn()) t.mock.timers.tick(1_000);
    await first;
    assert.deepEqual(answered, [404]);
    const second = ask();
    await held.letGo();
    await second;
    assert.deepEqual(answered, [404, 404]);
    t.mock.timers.reset();
  });

  test("has what was being stored, too, when the process ends", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    const held = await holdUp(await open(place));
    service.errors.add(() => fallbackEntry("one", 1), 1);
    const stored = service.errors.flush();
    service.errors.recordFatal(new TypeError("the last words"));
    assert.equal(readSpool(service.config.dataDir).split("\n").filter(Boolean).length, 2);
    await held.letGo();
    await stored;
    await service.errors.takeIn();
    assert.equal(await countRows(database), 2);
  });

  test("asks a database that is away only now and then", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    t.mock.method(performance, "now", () => 0);
    const database = await open();
    await using service = await startApp({ database });
    let asked = 0;
    const commit: Database["commit"] = async () => {
      asked++;
      throw new Error("the database is away");
    };
    const { clock, config } = service;
    const errors = new ErrorLog({ database: { ...database, commit }, clock, dataDir: config.dataDir, keepDays: 1, keep: 10 });
    for (const text of ["one", "two", "three"]) await errors.record(new Error(text), undefined);
    assert.equal(asked, 1);
    for (const text of ["one", "two", "three"]) assert.match(readSpool(config.dataDir), new RegExp(`"${text}"`));
    await errors.close();
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

  test("lets its file grow to 256 MB and no further: what comes then is kept in memory", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const file = join(service.config.dataDir, "errors-spool.jsonl");
    const full = 256 * 1024 * 1024 + 1;
    await takeAway(database);
    appendFileSync(file, "");
    truncateSync(file, full);
    await service.errors.record(new Error("no room"), undefined);
    assert.equal(statSync(file).size, full);
    rmSync(file);
    await bringBack(database);
    await service.errors.takeIn();
    assert.equal((await newest(service.errors)).message, "no room");
  });

  test("tells the process log when entries begin to wait, why, and when they are stored", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const told: string[] = [];
    const note = (error: unknown, words: string) => void told.push(`${words}: ${String(error)}`);
    service.errors.tellTo({ warn: note, info: (words) => void told.push(words) });
    await takeAway(database);
    for (const text of ["one", "two"]) await service.errors.record(new Error(text), undefined);
    await service.errors.takeIn();
    await bringBack(database);
    await service.errors.takeIn();
    await service.errors.record(new Error("three"), undefined);
    assert.equal(told.length, 2);
    assert.match(told[0]!, /^errors wait in DATA_DIR, as the database does not take them: .*error_entry/);
    assert.equal(told[1], "the errors that waited are stored");
  });

  test("keeps the newest thousand there, not every one", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const errors = new ErrorLog({ database, clock: service.clock, dataDir: "/dev/null/nowhere", keepDays: 1, keep: 10 });
    await takeAway(database);
    for (let at = 0; at < 1_200; at++) errors.add(() => fallbackEntry("kept", at), at);
    await errors.flush();
    await bringBack(database);
    await errors.takeIn();
    const { oldest } = await database.read
      .selectFrom("error_entry")
      .select((of) => of.fn.min("at").as("oldest"))
      .executeTakeFirstOrThrow();
    assert.deepEqual([await countRows(database), oldest], [1_000, 200]);
    const lost = (await errors.listDrops()).map(({ rule, count }) => ({ rule, count }));
    assert.deepEqual(lost, [{ rule: "no room while the database was away", count: 200 }]);
    await errors.close();
  });
});

test("the spool has more to take in when entries come while it is taken in", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
  const spool = new Spool(folder.path, { limit: 1e6, lose: () => {} });
  const rowOf = (message: string) => toRow({ ...fallbackEntry("waits", 1), message });
  spool.append([rowOf("first")]);
  const taken: string[] = [];
  const take = async (rows: readonly NewErrorRow[]) => {
    if (taken.length === 0) spool.append([rowOf("second")]);
    taken.push(...rows.map(({ message }) => message));
  };
  await spool.takeIn(take);
  assert.deepEqual([taken, spool.filled], [["first"], true]);
  await spool.takeIn(take);
  assert.deepEqual([taken, spool.filled], [["first", "second"], false]);
});

async function takeAway(database: Database): Promise<void> {
  await sql`alter table error_entry rename to error_entry_away`.execute(database.write);
}

async function bringBack(database: Database): Promise<void> {
  await sql`alter table error_entry_away rename to error_entry`.execute(database.write);
}

/** Another process changes the table of errors and takes its time, until `letGo`; then it thinks better of it. */
async function holdUp(other: Database): Promise<{ letGo(): Promise<void> }> {
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const changing = other.write.transaction().execute(async (db) => {
    await sql`alter table error_entry add column more text`.execute(db);
    started.resolve();
    return ended.promise;
  });
  await started.promise;
  return {
    async letGo() {
      ended.reject(new Error("rolled back"));
      await assert.rejects(changing, /rolled back/);
    },
  };
}

function readSpool(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.startsWith("errors-spool"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
