import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, textOf, TODAY } from "../../../../test/support/hotel.ts";
import type { StoredAuditEntry } from "../../../records/audit.ts";
import { localMoment } from "../../../web/parts/moment.ts";

const DAY = 86_400_000;
const CONTROL = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const counts = (count: number, property = "ALP") =>
  countMessage({ control: CONTROL, counts: [[2, count]] }).replace('"ALP"', `"${property}"`);

const CLEAR_COUNTS = countMessage({ control: "" })
  .replace("<StatusApplicationControl />", "")
  .replace("<Inventories ", '<UniqueID Type="16" ID="1" Instance="CompleteSet"/><Inventories ');

eachEngine("deleting messages from the log", (open) => {
  test("deleting messages shows a preview, asks for confirmation and records the user", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    service.clock.set(START + 40 * DAY);
    await postXml(service, counts(9));
    const visitor = service.visitor();
    assert.match((await visitor.get("/dev/logs?property=ALP")).body, /href="\/dev\/logs\?view=removal&amp;property=ALP">Delete messages…/);
    const preview = await visitor.get("/dev/logs?view=removal&property=ALP&days=30");
    const before = START + 10 * DAY;
    assert.match(
      textOf(preview),
      new RegExp(`4 messages for ALP received before ${localMoment(before)} 1 message changed no nights.* 3 messages changed nights`),
    );
    assert.equal((await ids(service)).length, 6);
    const unconfirmed = await visitor.post("/dev/logs?view=removal", { action: "remove", property: "ALP", before: String(before) });
    assert.equal(unconfirmed.statusCode, 422);
    assert.match(textOf(unconfirmed), /Confirm that you want to delete these messages .* 4 messages for ALP/);
    for (const sure of ["off", "0", "false"]) {
      const answer = await visitor.post("/dev/logs", { action: "remove", before: String(before), sure });
      assert.deepEqual([answer.statusCode, (await ids(service)).length], [422, 6], sure);
    }
    const done = await visitor.post("/dev/logs?view=removal", { action: "remove", property: "ALP", before: String(before), sure: "on" });
    assert.deepEqual([done.statusCode, done.headers.location], [303, "/dev/logs?view=removal"]);
    const page = textOf(await visitor.get("/dev/logs?view=removal"));
    assert.match(page, /1 message deleted, and the bodies of 3 messages that changed nights\./);
    assert.match(page, /Past deletions .* open property ALP, received before [^,]+, messages deleted 1, bodies deleted 3/);
    assert.deepEqual(await ids(service), [6, 5, 4, 2, 1]);
    assert.match(
      textOf(await visitor.get("/dev/logs?view=removal&property=ALP&days=30")),
      /No messages for ALP received before .* still have a stored body/,
    );
  });

  test("deleting messages keeps the current and past values of nights, and who sent them", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    service.clock.set(START + 40 * DAY);
    const asOf = localMoment(START + DAY / 2).replace(" ", "T");
    const pages = [
      `/inventories?property=ALP&from=${TODAY}&format=json`,
      `/inventories?property=ALP&from=${TODAY}&asOf=${asOf}&format=json`,
    ];
    const nights = async () => Promise.all(pages.map(async (url) => (await service.inject(url)).body));
    const [current, past] = await nights();
    assert.notEqual(current, past);
    await remove(service, { before: START + 40 * DAY });
    assert.deepEqual(await nights(), [current, past]);
    assert.deepEqual(await ids(service), [5, 2, 1]);
    const night = textOf(await service.inject(`/inventories?property=ALP&category=DBL&from=${TODAY}&night=${TODAY}`));
    assert.match(night, /pms/);
    const entry = (await service.inject("/dev/logs/1?format=json")).json<Record<string, unknown>>();
    assert.deepEqual(
      [entry.sender, entry.summary, entry.remote, entry.request],
      ["pms", `DBL ${TODAY} to 2026-11-26: available 3`, undefined, undefined],
    );
    assert.match(textOf(await service.inject("/dev/logs/1")), /available nothing 3 .* No longer available/);
  });

  test("deleting messages keeps the past values of nights that a message cleared", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, counts(3));
    service.clock.set(START + DAY);
    await postMessage(service, CLEAR_COUNTS);
    service.clock.set(START + 9 * DAY);
    const asOf = localMoment(START + DAY / 2).replace(" ", "T");
    const night = `/inventories?property=ALP&category=DBL&from=${TODAY}&night=${TODAY}`;
    const past = async () => textOf(await service.inject(`${night}&asOf=${asOf}`));
    const before = await past();
    assert.match(before, /Available 3/);
    const preview = (await service.inject("/dev/logs?view=removal&days=7&format=json")).json<Record<string, unknown>>();
    assert.deepEqual([preview.gone, preview.emptied], [0, 2]);
    await remove(service, { before: START + 2 * DAY });
    assert.equal(await past(), before);
    assert.match(textOf(await service.inject("/dev/logs/2")), /available 3 nothing .* No longer available/);
  });

  test("deleting messages keeps those received exactly at the cutoff", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    await remove(service, { before: START + DAY });
    assert.deepEqual(await ids(service), [5, 4, 3, 2, 1]);
    const kept = await service.database.read.selectFrom("message").select("id").where("pruned", "=", 0).orderBy("id").execute();
    assert.deepEqual(
      kept.map(({ id }) => id),
      [2, 3, 4, 5],
    );
  });

  test("deletes a dry run completely, because it changed no nights", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, counts(3).replace("Version=", 'Target="Test" Version='));
    service.clock.set(START + DAY);
    const preview = (await service.inject("/dev/logs?view=removal&days=0&format=json")).json<Record<string, unknown>>();
    assert.deepEqual([preview.gone, preview.emptied], [1, 0]);
    await remove(service, { before: START + DAY });
    assert.deepEqual(await ids(service), []);
  });

  test("counts each message once if two users delete at the same time", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    const row = await service.database.read.selectFrom("message").selectAll().where("id", "=", 3).executeTakeFirstOrThrow();
    for (let from = 1_000; from < 2_200; from += 300) {
      const rows = Array.from({ length: 300 }, (_, at) => ({ ...row, id: from + at }));
      await service.database.write.insertInto("message").values(rows).execute();
    }
    const removals = [await openRemoval(service), await openRemoval(service)];
    await Promise.all(removals.map((removeAll) => removeAll({ before: START + 40 * DAY })));
    const { past } = (await service.inject("/dev/logs?view=removal&format=json")).json<{ past: StoredAuditEntry[] }>();
    const removed = past.map(({ changes }) => Number(changes.find(({ field }) => field === "messages deleted")!.to));
    assert.equal(removed.length, 2);
    assert.equal(removed[0]! + removed[1]!, 1_202);
  });

  test("accepts a property code that the database cannot store", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    await remove(service, { property: "\0", before: START + 40 * DAY });
    assert.equal((await ids(service)).length, 5);
  });

  test("deleting messages takes several steps and spares other properties", async () => {
    await using service = await startApp({ database: await open() });
    await fillLog(service);
    const row = await service.database.read.selectFrom("message").selectAll().where("id", "=", 3).executeTakeFirstOrThrow();
    for (let from = 1_000; from < 2_200; from += 300) {
      const rows = Array.from({ length: 300 }, (_, at) => ({ ...row, id: from + at, property: at % 3 === 0 ? "SEA" : "ALP" }));
      await service.database.write.insertInto("message").values(rows).execute();
    }
    service.clock.set(START + 40 * DAY);
    await remove(service, { property: "ALP", before: START + 40 * DAY });
    const left = await service.database.read.selectFrom("message").select(["id", "property"]).execute();
    assert.deepEqual([left.length, left.filter(({ property }) => property === "ALP").length], [404, 3]);
  });
});

test("does not link to a deleted message with the same body", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, counts(-1));
  await postXml(service, counts(-1));
  assert.match((await service.inject("/dev/logs/2")).body, /same body as\s*<a href="\/dev\/logs\/1">#1<\/a>/);
  await service.database.write.deleteFrom("message").where("id", "=", 1).execute();
  assert.match(textOf(await service.inject("/dev/logs/2")), /same body as #1 \(deleted\)/);
  assert.match(textOf(await service.inject("/dev/channel?message=1")), /The request for message #1 is not in the log/);
  assert.doesNotMatch(textOf(await service.inject("/dev/channel?message=2")), /is not in the log/);
});

test("records what was deleted before an error occurred", async () => {
  await using service = await startApp();
  await fillLog(service);
  const row = await service.database.read.selectFrom("message").selectAll().where("id", "=", 3).executeTakeFirstOrThrow();
  const rows = Array.from({ length: 600 }, (_, at) => ({ ...row, id: 1_000 + at }));
  for (const some of [rows.slice(0, 300), rows.slice(300)]) await service.database.write.insertInto("message").values(some).execute();
  const trigger = "create trigger full before delete on message when old.id = 3 begin select raise(abort, 'disk is full'); end";
  await sql.raw(trigger).execute(service.database.write);
  const visitor = service.visitor();
  await visitor.get("/dev/logs?view=removal&days=0");
  const failed = await visitor.post("/dev/logs", { action: "remove", before: String(START + 40 * DAY), sure: "on" });
  assert.equal(failed.statusCode, 500);
  assert.match(textOf(await visitor.get("/dev/logs?view=removal")), /messages deleted 500, bodies deleted 0/);
});

test("deletes nothing if the form is invalid", async () => {
  await using service = await startApp();
  await fillLog(service);
  const visitor = service.visitor();
  for (const days of ["", "-1", "1.5", "many", "100000"]) {
    const page = await visitor.get(`/dev/logs?view=removal&days=${days}`);
    assert.equal(page.statusCode, 422, days);
    assert.match(textOf(page), /Enter a whole number of days, such as 90/);
  }
  await visitor.get("/dev/logs?view=removal&days=0");
  for (const before of ["", "x", "-5"]) {
    const answer = await visitor.post("/dev/logs", { action: "remove", before, sure: "on" });
    assert.equal(answer.statusCode, 422, before);
    assert.match(textOf(answer), /Preview the messages first/);
  }
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const forged = await service.inject({ method: "POST", url: "/dev/logs", headers, payload: `action=remove&sure=on&before=${START * 2}` });
  assert.equal(forged.statusCode, 403);
  assert.match(textOf(forged), /Delete permanently Yes Received before \(milliseconds since 1970\) \d+/);
  assert.equal((await ids(service)).length, 5);
});

test("returns a preview as JSON", async () => {
  await using service = await startApp();
  await fillLog(service);
  const preview = (await service.inject("/dev/logs?view=removal&days=0&property=SEA&format=json")).json<Record<string, unknown>>();
  assert.deepEqual(preview, {
    property: "SEA",
    receivedBefore: new Date(service.clock.now()).toISOString(),
    gone: 1,
    emptied: 0,
    exact: true,
    past: [],
  });
  assert.equal((await service.inject("/dev/logs?view=removal&days=x&format=json")).statusCode, 422);
});

/** Messages 1, 2 and 5 set nights of ALP. Message 3 is refused, and so is message 4, for another property. */
async function fillLog(service: TestApp): Promise<void> {
  await makeHotel(service);
  await makeProperty(service, { code: "SEA", name: "Seaside" });
  await postMessage(service, counts(3));
  service.clock.set(START + DAY);
  await postMessage(service, counts(5));
  await postXml(service, counts(-1));
  await postXml(service, counts(1, "SEA"));
  await postMessage(service, counts(7).replace(TODAY, "2026-11-26"));
  service.clock.set(START + 2 * DAY);
}

type Removal = { property?: string; before: number };

async function remove(service: TestApp, removal: Removal): Promise<void> {
  const confirm = await openRemoval(service);
  await confirm(removal);
}

async function openRemoval(service: TestApp): Promise<(removal: Removal) => Promise<void>> {
  const visitor = service.visitor();
  await visitor.get("/dev/logs?view=removal&days=0");
  return async ({ property = "", before }) => {
    const done = await visitor.post("/dev/logs?view=removal", { action: "remove", property, before: String(before), sure: "on" });
    assert.equal(done.statusCode, 303, done.body);
  };
}

async function ids(service: TestApp): Promise<number[]> {
  return (await service.inject("/dev/logs?format=json")).json<{ messages: { id: number }[] }>().messages.map(({ id }) => id);
}
