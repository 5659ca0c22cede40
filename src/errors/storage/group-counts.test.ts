import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { assertScans } from "../../../test/support/cpu.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { allMessages, countRows, failingAfterCommit } from "../../../test/support/error-log.ts";
import { DAY_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { fallbackEntry } from "../describe/error.ts";
import { groupError } from "../describe/grouping.ts";
import type { ErrorSource } from "../entry.ts";
import { ErrorLog } from "../recorder.ts";
import { ErrorLogMaintenance } from "./maintenance.ts";
import { pruneErrorGroups } from "./prune-store.ts";
import { sumByGroup } from "./store.ts";

const HOUR_MS = 3_600_000;

test("messages that differ only in names, numbers, ids and addresses form one group", () => {
  const similar: readonly (readonly [string, string])[] = [
    ["Route 'GET /a' not found", "Route 'GET /b/c?d' not found"],
    ["Route 'GET /it's' not found", "Route 'GET /'or'1'='1' not found"],
    ["Route 'GET /x.'.y' not found", "Route 'GET /'')--' not found"],
    ["Route 'GET /cut off her", "Route 'GET /cut off the"],
    ["Property 'A' of 'B' is gone (see 'C').", "Property 'D' of 'E' is gone (see 'F')."],
    ['{"a":"x","b":1}', '{"a":"y z","b":2}'],
    ["“one” is none", "“an ‘other’” is none"],
    ["Room 7 of 12 is gone", "Room 81 of 3 is gone"],
    ["no 3f2504e0-4f89-11d3-9a0c-0305e82c3301 here", "no 00000000-a3f2-4bcd-bcde-abcdefabcdef here"],
    ["refused by 10.0.0.1", "refused by 192.168.17.255"],
    ["refused by 2001:db8::17", "refused by fe80::1:2:3"],
    ["commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit deadbeefdeadbeef"],
  ];
  for (const [one, other] of similar) assert.equal(groupId(one), groupId(other), one);
  const different = ["Room is gone", "Rooms are gone", "can't find", "can't read", "'a' lacks 'b'", "'a' has 'b'"].map((message) =>
    groupId(message),
  );
  assert.equal(new Set(different).size, different.length);
});

test("errors are grouped by their innermost project function, regardless of the line", () => {
  const at = (...trace: string[]) => groupId("x", trace);
  const inNode = "#0 node:internal/fs(5): open";
  const inPackage = "#1 /app/node_modules/pg/client.js(7): query";
  const known = at(inNode, inPackage, "#2 /app/src/a.ts(10): read", "#3 {main}");
  assert.equal(at(inPackage, "#1 /app/src/a.ts(99): read", "#2 /app/src/b.ts(1): other", "#3 {main}"), known);
  assert.notEqual(at("#0 /app/src/a.ts(10): write", "#1 {main}"), known);
  assert.notEqual(at("#0 /app/src/b.ts(10): read", "#1 {main}"), known);
  assert.notEqual(groupId("x", [], "js"), groupId("x", [], "php"));
});

test("group ids stay the same across versions", () => {
  const groups: readonly (readonly [number, string, ...string[]])[] = [
    [31125970531228, "Room 7 of 'A' is gone"],
    [66404049336046, "“DBL” at 10.0.0.1 and fe80::1:2 is not 3f2504e0-4f89-11d3-9a0c-0305e82c3301 or deadbeefdeadbeef"],
    [168436313317667, "Route 'GET /it's' not found", "#0 node:internal/fs(5): open", "#1 /app/src/a.ts(10): read", "#2 {main}"],
    [15824776358908, "x is undefined", "#0 https://host/public/grid-2.js?v=3(10): {anonymous}", "#1 {main}"],
    [203885583111715, "x is undefined", `#0 ${fileURLToPath(new URL("../../a.ts", import.meta.url))}(10): read`, "#1 {main}"],
  ];
  const found = groups.map(([, message, ...trace]) => groupId(message, trace));
  const why = "the grouping rules changed: increment ALGORITHM, because stored entries are in other groups";
  assert.deepEqual(
    found,
    groups.map(([id]) => id),
    why,
  );
});

test("messages with many quotes are grouped in linear time", async () => {
  for (const quote of ["“", "'", '"', " '", ":", "a:", "0-"]) {
    const messages = Array.from({ length: 10 }, (_, id) => `${id}${quote.repeat(30_000)}`);
    const numbers = () => messages.map((message) => groupId(message));
    await assertScans(messages.join("").length, 1_000, () => assert.equal(new Set(numbers()).size, 1, quote));
  }
});

test("rows are summed in order of group id, which prevents deadlocks between writers", () => {
  const row = (id: number) => ({ at: 0, group: { id } }) as Parameters<typeof sumByGroup>[0][number];
  const increments = sumByGroup([7, 2, 9, 2, 5].map(row));
  assert.deepEqual(
    increments.map(({ group, count }) => [group.id, count]),
    [
      [2, 2],
      [5, 1],
      [7, 1],
      [9, 1],
    ],
  );
});

eachEngine("the error log", (open, makePlace) => {
  test("counts entries by group and hour, with the newest message", async () => {
    await using service = await startApp({ database: await open() });
    for (const [hours, times] of [
      [0, 3],
      [1, 5],
    ] as const) {
      service.clock.set(START + hours * HOUR_MS);
      for (let index = 0; index < times; index++) await service.inject(`/nowhere/${hours}/${index}`);
      await service.errors.flush();
    }
    const [group, ...more] = await groupsOf(service.database);
    assert.equal(more.length, 0);
    assert.deepEqual(
      [group!.count, group!.message, group!.first_at, group!.last_at, group!.pattern, group!.state],
      [8, "Route 'GET /nowhere/1/4' not found", START, START + HOUR_MS, "Route '' not found", "open"],
    );
    assert.match(group!.place, /^src\/web\/\S+\.ts \S/);
    assert.deepEqual(await hoursOf(service.database), [3, 5]);
  });

  test("keeps the newest message and entry of a group if older reports arrive later", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const reports = [0, HOUR_MS].map((age) => ({ type: "deprecation", age, body: { message: `Feature ${age} is old` } }));
    const headers = { "content-type": "application/reports+json" };
    await service.inject({ method: "POST", url: "/_errors/csp", headers, payload: JSON.stringify(reports) });
    await service.errors.flush();
    const groups = await groupsOf(database);
    assert.deepEqual(
      groups.map(({ count, message, first_at, last_at }) => [count, message, first_at, last_at]),
      [[2, "Feature 0 is old", START - HOUR_MS, START]],
    );
    const { clock, config } = service;
    const errors = new ErrorLog({ database, clock, dataDir: config.dataDir, keepDays: 9, keep: 1 });
    assert.equal(await errors.prune(), 0, "one entry has the highest id, the other is the newest of its group");
    await errors.close();
  });

  test("puts all unknown paths into one group, and all truncated paths into another", async () => {
    await using service = await startApp({ database: await open() });
    const paths = ["/a'b", "/'c", "/d''e'", `/${"f/".repeat(2000)}'`, `/${"g/".repeat(3000)}`, '/"h"', "/%22i", "/j:k", "/l'.,;m", "/'"];
    for (const path of paths) await service.inject(path);
    await service.errors.flush();
    assert.deepEqual((await groupsOf(service.database)).map(({ pattern, count }) => [pattern, count]).toSorted(), [
      ["Route '' not found", 8],
      ["Route ''", 2],
    ]);
  });

  test("uses four statements to count the entries of a batch", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const written: number[] = [];
    const errors = logOn(recordingWrites(database, written), service);
    for (let at = 0; at < 512; at++) errors.add(() => fallbackEntry("flood", at), at);
    await errors.close();
    assert.equal(written[0], 512 / 32 + 4);
  });

  test("loses no counts if several processes write concurrently", async () => {
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    const logs = [service.errors, logOn(await open(place), service)];
    for (let round = 0; round < 20; round++) {
      for (const kind of [1, 2, 3])
        for (const errors of logs) errors.add(() => ({ ...fallbackEntry("both", START), class: `Kind${kind}` }), START);
      await Promise.all(logs.map((errors) => errors.flush()));
    }
    await Promise.all(logs.map((errors) => errors.drainSpool()));
    assert.deepEqual(
      (await groupsOf(service.database)).map(({ count }) => count),
      [40, 40, 40],
    );
    assert.deepEqual(await hoursOf(service.database), [40, 40, 40]);
    await logs[1]!.close();
  });

  test("counts a spooled entry once, even one written by a version without groups", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const { dataDir } = service.config;
    const errors = logOn(failingAfterCommit(database), service);
    await errors.record(new Error("once"), undefined);
    const old = { key: "old-1", at: START, class: "Error", message: "old", source: "php", caught: 0, status: 500 };
    const detail = JSON.stringify({ ...fallbackEntry("old", START).detail, key: "old-1" });
    appendFileSync(join(dataDir, "errors-spool.jsonl"), `${JSON.stringify({ ...old, detail })}\n`);
    await errors.drainSpool();
    await errors.close();
    assert.deepEqual((await groupsOf(database)).map(({ message, count }) => [message, count]).toSorted(), [
      ["old", 1],
      ["once", 1],
    ]);
  });

  test("groups the entries written by a version without groups exactly once", async () => {
    const place = await makePlace();
    const database = await open(place);
    await using service = await startApp({ database });
    for (let index = 0; index < 450; index++) await service.inject(`/old/${index}`);
    await service.errors.flush();
    const [before] = await groupsOf(database);
    await removeGroups(database);
    service.clock.set(START + 1);
    await service.inject("/new");
    const processes = [database, await open(place)].map(
      (each) =>
        new ErrorLogMaintenance({ database: each, clock: service.clock, keepDays: 9, keep: 999, keepBytes: 1e9, onOversize: () => {} }),
    );
    await Promise.all(processes.map((maintenance) => maintenance.assignGroups()));
    await service.errors.flush();
    const [after, ...more] = await groupsOf(database);
    assert.equal(more.length, 0);
    assert.deepEqual([after!.id, after!.count, after!.message], [before!.id, 451, "Route 'GET /new' not found"]);
    const ungrouped = await database.read.selectFrom("error_entry").select("id").where("group_id", "is", null).execute();
    assert.equal(ungrouped.length, 0);
    for (const maintenance of processes) await maintenance.close();
  });

  test("keeps counts and the newest entry of each group when pruning by count, but not when pruning by age", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS: "1000", KEEP_ERRORS_DAYS: "30" } });
    await service.errors.record(new RangeError("rare"), undefined);
    await service.errors.record(new RangeError("rare"), undefined);
    for (let index = 0; index < 1_100; index++) await service.inject(`/often/${index}`);
    await service.errors.flush();
    assert.equal(await service.errors.prune(), 101);
    const messages = await allMessages(service.errors);
    assert.deepEqual([messages.length, messages.at(-1)], [1_001, "rare"]);
    assert.deepEqual(
      (await groupsOf(database)).map(({ count }) => count),
      [2, 1_100],
    );
    service.clock.set(START + 31 * DAY_MS);
    await service.inject("/often/again");
    await service.errors.flush();
    await service.errors.prune();
    assert.equal(await countRows(database), 1);
    assert.deepEqual(
      (await groupsOf(database)).map(({ class: name, count }) => [name, count]),
      [["NotFoundException", 1_101]],
    );
    assert.deepEqual(await hoursOf(database), [1], "old hours are deleted");
  });

  test("keeps the open groups that were seen most recently", async () => {
    const database = await open();
    await using service = await startApp({ database });
    for (const [minute, error] of [new RangeError("1"), new TypeError("2"), new EvalError("3"), new URIError("4")].entries()) {
      service.clock.set(START + minute * 60_000);
      await service.errors.record(error, undefined);
    }
    await service.errors.flush();
    await pruneErrorGroups(database, { at: 0, hour: 0, keep: 2, limit: 10 });
    assert.deepEqual(
      (await groupsOf(database)).map(({ class: name }) => name),
      ["EvalError", "URIError"],
    );
  });
});

function groupId(message: string, trace: readonly string[] = [], source: ErrorSource = "php"): number {
  return groupError({ source, class: "Error", message, detail: { trace } }).id;
}

function logOn(database: Database, { clock, config }: TestApp): ErrorLog {
  return new ErrorLog({ database, clock, dataDir: config.dataDir, keepDays: 9, keep: 1_000 });
}

function groupsOf({ read }: Database) {
  return read.selectFrom("error_group").selectAll().orderBy("first_at").orderBy("count").execute();
}

async function hoursOf({ read }: Database): Promise<number[]> {
  const rows = await read.selectFrom("error_hour").select("count").orderBy("hour").execute();
  return rows.map(({ count }) => count);
}

async function removeGroups({ write }: Database): Promise<void> {
  await write.updateTable("error_entry").set({ group_id: null }).execute();
  await write.deleteFrom("error_group").execute();
  await write.deleteFrom("error_hour").execute();
}

/** Records the number of statements of each commit in `written`. */
function recordingWrites(database: Database, written: number[]): Database {
  return {
    ...database,
    commit: (batch) =>
      database.commit({
        ...batch,
        decide(rows, id) {
          const decision = batch.decide(rows, id);
          written.push(decision.write.length);
          return decision;
        },
      }),
  };
}
