import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { DAY_MS } from "../src/calendar/night.ts";
import type { Batch, Database, Statement } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { openDatabase } from "../src/db/open.ts";
import { LOCK_PROPERTY_ROW } from "../src/db/postgres/transactions.ts";
import { deleteProperty } from "../src/journal/delete-property.ts";
import { pruneJournal } from "../src/journal/prune.ts";
import { receiveMessage } from "../src/journal/receive.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { type CitusDatabase, createCitusDatabase, restartWorker } from "./support/citus.ts";
import { openFresh } from "./support/databases.ts";
import { NightCopy, readFrom } from "./support/feed.ts";
import { countMessage, makeCategory, makeProperty, postMessage, postXml, rateMessage } from "./support/hotel.ts";
import { killRepeatedly, SENDERS } from "./support/kills.ts";
import { type Ended, makeDataFolder, runCommand, serve } from "./support/process.ts";
import { fillService } from "./support/records.ts";
import { seedProperties } from "./support/seeded-place.ts";
import { addSender, BY_TEST } from "./support/senders.ts";
import { nameOf, visitsOf } from "./support/visits.ts";
import { countOf, sampleWork } from "./support/work.ts";

/** Pages that read every distributed table. */
const PAGES = [
  ...["/property", "/property/ALP", "/category", "/", "/tools/audit", "/tools/search?q=alp", "/dev/senders"],
  ...["/inventories", "/inventories?property=ALP&days=14", "/inventories?property=ALP&days=14&asOf=2026-11-20T08:00Z"],
  ...["/inventories?property=ALP&category=DBL&night=2026-11-22", "/rates?property=ALP&category=DBL&plan=BAR&night=2026-11-22"],
  ...["/dev/logs", "/dev/logs?property=ALP", "/dev/logs?outcome=refused", "/dev/logs/1", "/dev/logs/2", "/dev/logs/5", "/dev/logs/6"],
];

const NIGHT = 'Start="2026-11-22" End="2026-11-22"';
const MORE_IDS_THAN_A_PARTITION = 300_000;
const CITUS_URL = process.env["CITUS_URL"];
if (CITUS_URL) describe("a Citus cluster", () => registerTests(CITUS_URL));

for (const [engine, reason] of [
  ["SQLite", /SQLite can't be distributed\. Set DATABASE_URL to the coordinator of a Citus cluster\./],
  ["PostgreSQL", /doesn't have the citus extension/],
] as const) {
  test(`refuses to distribute a database on ${engine} without Citus, and says why`, async () => {
    const { database, place, remove } = await openFresh(engine);
    await database.close();
    const settings = { DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) };
    const { code, output, errors } = await runCommand(["migrate", "--distribute"], settings);
    assert.equal(code, 1, output);
    assert.match(errors, reason);
    assert.doesNotMatch(errors, /^\s+at /m);
    await remove();
  });
}

type SchemaAnswer = { inStep: boolean; tables: { name: string; placement?: string }[] };

function registerTests(cluster: string): void {
  let place: CitusDatabase;
  let settings: { DATABASE_URL: string; DATA_DIR: string };
  let earlier: ReadonlyMap<string, unknown>;
  let distributed: Ended;
  const open = () => openDatabase(place.url, settings.DATA_DIR);
  const distribute = () => runCommand(["migrate", "--distribute"], settings);

  before(async () => {
    place = await createCitusDatabase(cluster);
    settings = { DATABASE_URL: place.url, DATA_DIR: makeDataFolder() };
    const database = await open();
    await migrate(database);
    await using service = await startApp({ database });
    await fillService(service, "little");
    await removeMessageProperties(database);
    earlier = await readPages(service);
    await service.close();
    await database.close();
    distributed = await distribute();
  });
  after(() => place[Symbol.asyncDispose]());

  test("distributes a database that contains data, and changes nothing when run again", async () => {
    assert.match(distributed.output, /Table 13 of \d+: message\n.*The database is distributed/s, distributed.errors);
    const again = await distribute();
    assert.deepEqual([again.code, again.errors], [0, ""]);
    await using service = await onCluster(open);
    const { inStep, tables } = (await service.inject("/tools/dbsync?format=json")).json<SchemaAnswer>();
    assert.ok(inStep);
    const placements = new Map(tables.map(({ name, placement }) => [name, placement]));
    for (const name of ["property", "message", "message_body", "night_undo", "rate_page", "change_outbox"])
      assert.equal(placements.get(name), "distributed", name);
    assert.equal(placements.get("change"), "coordinator");
    assert.match((await service.inject("/tools/dbsync")).body, /All servers, by property/);
  });

  test("the service refuses to start on a Citus worker", async () => {
    const { code, errors } = await runCommand(["migrate"], { ...settings, DATABASE_URL: place.workers[0]! });
    assert.equal(code, 1);
    assert.match(errors, /is a worker of a Citus cluster\. Set DATABASE_URL to the coordinator\./);
  });

  test("shows the same data on every page as before the distribution", async () => {
    await using service = await onCluster(open);
    for (const [path, content] of await readPages(service)) assert.deepEqual(content, earlier.get(path), path);
    for (const visit of await visitsOf(service, "little")) {
      if (visit.post === undefined) assert.equal((await service.inject(visit.url)).statusCode, visit.status, nameOf(visit));
    }
  });

  test("stores each message with statements that each run on a single server", async () => {
    await using service = await onCluster(open);
    await makeRoom(service, "ONE");
    for (const property of ["ALP", "ONE"]) {
      const recorded = await recordStatements(service, async (recording) => {
        await postMessage(recording, countsFor(property, 3));
        await postMessage(recording, ratesFor(property));
        await postXml(recording, countMessage({ control: `${NIGHT} InvTypeCode="NONE"`, counts: [[2, 1]] }));
      });
      assert.ok(recorded.length > 20);
      assert.deepEqual(await findScattered(place.url, recorded), []);
    }
  });

  test("sends a feed reader the committed changes from all servers", async () => {
    await using first = await onCluster(open);
    await using second = await onCluster(open);
    const codes = ["FA", "FB", "FC", "FD", "FE"];
    for (const code of codes) await makeRoom(first, code);
    const copy = new NightCopy();
    let cursor = await copy.load(readFrom(second));
    const sending = codes.map(async (code, index) => {
      for (let count = 1; count <= 5; count++) await postMessage(index % 2 === 0 ? first : second, countsFor(code, count));
    });
    let isDone = false;
    const all = Promise.all(sending).finally(() => (isDone = true));
    while (!isDone) cursor = await copy.follow(first, cursor);
    await all;
    await copy.follow(second, cursor);
    const stored = new NightCopy();
    await stored.load(readFrom(first));
    assert.deepEqual(copy.differences(stored), []);
    assert.ok(stored.nights.size >= codes.length);
  });

  test("loses no acknowledged message when a worker is killed", async () => {
    const database = await open();
    await seedProperties(database, SENDERS);
    await database.close();
    const service = await serve({ ...settings, WORKERS: "1" });
    const kill = () => restartWorker(place.url);
    const victim = { origin: service.origin, kill, stop: () => service.stop() };
    const { acknowledged, lost } = await killRepeatedly({ start: async () => victim, settings, workers: 1, kills: 2 });
    assert.deepEqual(lost, []);
    assert.ok(acknowledged >= 2 * SENDERS);
  });

  test("shows a sender's refused messages", async () => {
    await using service = await onCluster(open);
    await addSender(service.database, { name: "pms" });
    assert.equal((await postXml(service, countsFor("ALP", 1))).statusCode, 401);
    for (const path of ["/", "/dev/senders", "/dev/senders/pms"]) {
      const answer = await service.inject(path);
      assert.equal(answer.statusCode, 200, path);
      assert.match(answer.body, /Invalid Username/, path);
    }
  });

  test("deletes a property, and prunes old data on all servers", async () => {
    await using service = await onCluster(open);
    const { database } = service;
    await database.write.updateTable("property").set({ status: "archived" }).where("code", "=", "FA").execute();
    assert.ok(await deleteProperty(database, "FA", BY_TEST));
    assert.equal((await service.inject("/property/FA")).statusCode, 404);
    const prune = (days: number) => pruneJournal(database, { now: START + days * DAY_MS, keepLogDays: 30, keepNightsDays: 60 });
    await prune(20);
    await database.reserve(MORE_IDS_THAN_A_PARTITION);
    const { id } = await receiveMessage(database, sampleWork([countOf(5)], { property: "ONE", received: { at: START + 25 * DAY_MS } }));
    await prune(40);
    assert.ok((await database.logPartitions.list())[0]!.from > 0, "the first part of the log was dropped");
    assert.deepEqual(await database.read.selectFrom("message").select("id").execute(), [{ id }]);
    const past = database.read.selectFrom("past_message").select("message").where("property", "=", "ALP");
    assert.ok((await past.execute()).length > 0, "the sources of stored nights are kept");
    await prune(900);
    for (const table of ["message", "message_body", "night_undo", "inventory_page"] as const)
      assert.deepEqual(await database.read.selectFrom(table).selectAll().execute(), [], table);
  });
}

async function onCluster(open: () => Promise<Database>): Promise<TestApp> {
  const database = await open();
  assert.ok(database.isDistributed);
  const service = await startApp({ database });
  return { ...service, [Symbol.asyncDispose]: () => service.close().then(() => database.close()) };
}

/** Resets rows to what earlier versions wrote. */
async function removeMessageProperties({ write }: Database): Promise<void> {
  await sql`update night_undo set message_property = ''`.execute(write);
  await sql`update message_body set message_property = ''`.execute(write);
  await sql`update message set property = null where property = ''`.execute(write);
}

async function readPages(service: TestApp): Promise<Map<string, unknown>> {
  const contents = new Map<string, unknown>();
  for (const path of PAGES) {
    const answer = await service.inject(`${path}${path.includes("?") ? "&" : "?"}format=json`);
    assert.equal(answer.statusCode, 200, path);
    contents.set(path, answer.json());
  }
  return contents;
}

async function makeRoom(service: TestApp, hotelCode: string): Promise<void> {
  await makeProperty(service, { code: hotelCode, name: hotelCode });
  await makeCategory(service, { hotelCode, code: "DBL", name: "Double", rooms: "9", standardOccupancy: "2", maxOccupancy: "2" });
}

function countsFor(property: string, count: number): string {
  return forProperty(property, countMessage({ control: `${NIGHT} InvTypeCode="DBL"`, counts: [[2, count]] }));
}

function ratesFor(property: string): string {
  const control = `${NIGHT} InvTypeCode="DBL" RatePlanCode="NEW"`;
  return forProperty(property, rateMessage({ control, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
}

function forProperty(property: string, message: string): string {
  return message.replace('HotelCode="ALP"', `HotelCode="${property}"`);
}

/** Returns the statements that the service ran for messages in `work`, including the batch's row lock. */
async function recordStatements({ database }: TestApp, work: (service: TestApp) => Promise<void>): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const commit = <T>(batch: Batch<T>) =>
    database.commit<T>({
      ...batch,
      decide(rows, id) {
        const decision = batch.decide(rows, id);
        recorded.push({ sql: LOCK_PROPERTY_ROW, values: [batch.lock ?? ""] }, ...batch.read, ...decision.write);
        return decision;
      },
    });
  await using service = await startApp({ database: { ...database, commit } });
  await work(service);
  return recorded;
}

/** Returns the statements that the coordinator would send to several shards, or to none. */
async function findScattered(url: string, statements: readonly Statement[]): Promise<string[]> {
  const client = new Client(url);
  await client.connect();
  const scattered: string[] = [];
  for (const { sql: text, values } of statements) {
    let count = 0;
    const numbered = text.replaceAll("?", () => `$${++count}`);
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${numbered}`, [...values]);
    if (!rows.some((line) => line["QUERY PLAN"].trim() === "Task Count: 1")) scattered.push(text);
  }
  await client.end();
  return scattered;
}
