import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import {
  availMessage,
  countMessage,
  editRecord,
  makeHotel,
  makeProperty,
  postMessage,
  postXml,
  rateMessage,
  summarise,
  textOf,
} from "../../../test/support/hotel.ts";
import { addSender } from "../../../test/support/senders.ts";
import { addPerson, signInByForm, TWO_ROLES } from "../../../test/support/sign-in.ts";
import { pruneExpired } from "../../cli/housekeeping.ts";
import { REMOVAL_LOCK } from "../../journal/removal.ts";

const PAGE = "/tools/property?property=ALP";
const NIGHT = 'Start="2026-11-20" End="2026-11-22" InvTypeCode="DBL"';
const RATE = rateMessage({ control: `${NIGHT} RatePlanCode="BAR"`, amounts: ['NumberOfGuests="2" AmountAfterTax="90.00"'] });
const COUNT = countMessage({ control: NIGHT, counts: [[2, 5]] });

async function startHotel(open: () => Promise<TestApp["database"]>): Promise<TestApp> {
  const service = await startApp({ database: await open() });
  await makeHotel(service, { city: "Bolzano", groupName: "North" });
  await makeProperty(service, { code: "BET", name: "Bettenburg" });
  await postMessage(service, COUNT);
  await postMessage(service, RATE);
  return service;
}

async function act(service: TestApp, fields: Record<string, string>): Promise<LightMyRequestResponse> {
  return service.visitor().post(PAGE, fields);
}

async function done(service: TestApp, fields: Record<string, string>): Promise<void> {
  const response = await act(service, fields);
  assert.equal(response.statusCode, 303, textOf(response));
}

async function json<T>(service: TestApp, url: string): Promise<T> {
  return (await service.inject({ url, headers: { accept: "application/json" } })).json<T>();
}

async function statusOf(service: TestApp): Promise<string> {
  return (await json<{ status: string }>(service, "/property/ALP")).status;
}

async function codesIn(service: TestApp, url: string): Promise<string[]> {
  return (await json<{ properties: { code: string }[] }>(service, url)).properties.map(({ code }) => code).toSorted();
}

type Change = { kind: string; property: string; category?: string; plan?: string };

async function changesOf(service: TestApp, property: string): Promise<string[]> {
  const { changes } = await json<{ changes: Change[] }>(service, `/changes?property=${property}`);
  return changes.map(({ kind, category, plan }) => [kind, category, plan].filter(Boolean).join(" "));
}

async function auditOf(service: TestApp, subject: string): Promise<string[]> {
  const { entries } = await json<{ entries: { subject: string; action: string }[] }>(service, `/tools/audit?subject=${subject}`);
  return entries.map((entry) => `${entry.action} ${entry.subject}`);
}

eachEngine("a property", (open) => {
  test("a property is duplicated with its categories and rate plans, but without nights and history", async () => {
    await using service = await startHotel(open);
    assert.match(textOf(await act(service, { action: "duplicate", code: "BET", name: "Twin" })), /property BET already exists/);
    assert.equal((await act(service, { action: "duplicate", code: "new", name: "Twin" })).statusCode, 422);
    await done(service, { action: "duplicate", code: "ALQ", name: "Twin" });
    const copy = await json<Record<string, unknown>>(service, "/property/ALQ");
    assert.deepEqual([copy.name, copy.city, copy.groupName, copy.version, copy.lastMessageAt], ["Twin", "Bolzano", "North", 1, undefined]);
    const { categories } = await json<{ categories: { code: string; rooms: number }[] }>(service, "/category?hotelCode=ALQ");
    assert.deepEqual(
      categories.map(({ code, rooms }) => `${code} ${rooms}`),
      ["DBL 10", "SGL 4"],
    );
    const { plans } = await json<{ plans: { code: string; pricedNights: number }[] }>(service, "/tools/plans?property=ALQ");
    assert.deepEqual(
      plans.map(({ code, pricedNights }) => `${code} ${pricedNights}`),
      ["BAR 0"],
    );
    assert.match(textOf(await service.inject("/tools/search?q=twin")), /Twin/);
    assert.deepEqual(await changesOf(service, "ALQ"), ["record", "record DBL", "record SGL", "record BAR"]);
    assert.deepEqual((await auditOf(service, ":ALQ")).toSorted(), [
      "create category:ALQ/DBL",
      "create category:ALQ/SGL",
      "create plan:ALQ/BAR",
      "create property:ALQ",
    ]);
    await postMessage(service, RATE.replace("ALP", "ALQ"));
  });

  test("a property is hidden and refuses messages while archived, and can be restored unchanged", async () => {
    await using service = await startHotel(open);
    await editRecord(service, "/property/ALP/edit", { status: "test" });
    await done(service, { action: "archive" });
    await summarise(service);
    for (const list of ["/property", "/rates?from=2026-11-20", "/inventories?q=alp"])
      assert.ok(!(await codesIn(service, list)).includes("ALP"), list);
    assert.deepEqual(await codesIn(service, "/property"), ["BET"]);
    assert.deepEqual(await codesIn(service, "/property?status=archived"), ["ALP"]);
    assert.deepEqual((await json<{ total: number }>(service, "/property")).total, 1);
    assert.deepEqual((await json<{ categories: unknown[]; total: number }>(service, "/category")).categories, []);
    assert.doesNotMatch(textOf(await service.inject("/tools/search?q=alpenblick")), /Bolzano/);
    const snapshot = (await service.inject("/rates?format=ndjson")).body;
    assert.doesNotMatch(snapshot, /"property":"ALP"/);
    const { body } = await postXml(service, COUNT);
    assert.match(body, /Code="375"[^>]*>Hotel not active: ALP|Hotel not active: ALP/);
    const { categories } = await json<{ categories: { nights: { available?: number; sale: string }[] }[] }>(
      service,
      "/inventories?property=ALP&category=DBL&from=2026-11-20",
    );
    assert.deepEqual([categories[0]!.nights[0]!.available, categories[0]!.nights[0]!.sale], [5, "not active"]);
    await done(service, { action: "restore" });
    assert.equal((await json<{ status: string }>(service, "/property/ALP")).status, "test");
    assert.deepEqual(await codesIn(service, "/property"), ["ALP", "BET"]);
    await postMessage(service, COUNT);
  });

  test("a property is restored only if it is archived", async () => {
    await using service = await startHotel(open);
    await done(service, { action: "archive" });
    await done(service, { action: "restore" });
    const refused = await act(service, { action: "restore" });
    assert.equal(refused.statusCode, 409);
    assert.match(textOf(refused), /Property ALP is not archived/);
    assert.equal(await statusOf(service), "active");
  });

  test("a restored property gets back its own previous status, even after many edits or if a deleted property had the same code", async () => {
    await using service = await startHotel(open);
    await editRecord(service, "/property/ALP/edit", { status: "test" });
    await done(service, { action: "archive" });
    for (let edit = 0; edit < 21; edit++) await editRecord(service, "/property/ALP/edit", { city: `City ${edit}` });
    await done(service, { action: "restore" });
    assert.equal(await statusOf(service), "test");
    await done(service, { action: "archive" });
    await done(service, { action: "delete", confirm: "ALP" });
    await makeProperty(service, { code: "ALP", name: "Alpenblick", status: "archived" });
    await done(service, { action: "restore" });
    assert.equal(await statusOf(service), "inactive");
  });

  test("a property keeps its status if concurrent edits prevent the change", async () => {
    const database = await open();
    let isBusy = false;
    const edit: TestApp["database"]["edit"] = async (lock, work) => {
      if (isBusy)
        await database.write
          .updateTable("property")
          .set((is) => ({ version: is("version", "+", 1) }))
          .execute();
      return database.edit(lock, work);
    };
    await using service = await startHotel(async () => ({ ...database, edit }));
    isBusy = true;
    assert.equal((await act(service, { action: "archive" })).statusCode, 409);
    assert.equal(await statusOf(service), "active");
    isBusy = false;
    await done(service, { action: "archive" });
    isBusy = true;
    assert.match(textOf(await act(service, { action: "restore" })), /Property ALP was edited at the same time/);
    assert.equal(await statusOf(service), "archived");
  });

  test("a property is deleted permanently only if it is archived and its code is entered", async () => {
    await using service = await startHotel(open);
    await postMessage(service, availMessage({ control: NIGHT, content: '<RestrictionStatus Status="Open"/>' }));
    await summarise(service);
    const past = { message: 0, property: "ALP", received_at: service.clock.now(), sender: "pms", last_night: 21_000 };
    await service.database.write.insertInto("past_message").values(past).execute();
    await addSender(service.database, { name: "limited", hotels: ["ALP", "BET"] });
    const cursor = (await json<{ cursor: string }>(service, "/changes")).cursor;
    assert.equal((await act(service, { action: "delete", confirm: "ALP" })).statusCode, 409);
    await done(service, { action: "archive" });
    assert.match(textOf(await act(service, { action: "delete", confirm: "alp" })), /Enter ALP to confirm/);
    await done(service, { action: "delete", confirm: "ALP" });
    assert.equal((await service.inject("/property/ALP")).statusCode, 404);
    assert.deepEqual(await findRemainingTables(service, "ALP"), []);
    const { changes } = await json<{ changes: Change[] }>(service, `/changes?after=${cursor}`);
    assert.deepEqual(
      changes.map(({ kind, property }) => `${kind} ${property}`),
      ["record ALP", "record ALP"],
    );
    assert.deepEqual([...new Set(await changesOf(service, "ALP"))], ["record"]);
    assert.deepEqual((await auditOf(service, "property:ALP"))[0], "delete property:ALP");
    assert.deepEqual((await json<{ properties: string[] }>(service, "/dev/senders/limited")).properties, ["BET"]);
    await summarise(service);
    assert.deepEqual(await codesIn(service, "/property"), ["BET"]);
    await makeHotel(service);
    assert.equal((await changesOf(service, "ALP")).at(-1), "record SGL");
  });

  test("a property is removed from connections immediately, with an audit entry", async () => {
    await using service = await startHotel(open);
    const secret = await addSender(service.database, { name: "pms", hotels: ["ALP"] });
    const headers = { "content-type": "application/xml", authorization: `Basic ${Buffer.from(`pms:${secret}`).toString("base64")}` };
    const send = async () => (await service.inject({ method: "POST", url: "/channel", headers, payload: COUNT })).body;
    assert.match(await send(), /<Success\/>/);
    await done(service, { action: "archive" });
    await done(service, { action: "delete", confirm: "ALP" });
    assert.equal((await auditOf(service, "sender:pms"))[0], "narrow sender:pms");
    assert.match(textOf(await service.inject("/dev/senders/pms")), /Access: no property/);
    await makeHotel(service);
    assert.match(await send(), /Code="497"/);
  });

  test("a property cannot be restored while it is being deleted", async () => {
    const database = await open();
    const actions: (() => Promise<LightMyRequestResponse>)[] = [];
    await using service = await startHotel(async () => beforeMessagesGo(database, async () => void (await actions.pop()?.())));
    await done(service, { action: "archive" });
    let restored: LightMyRequestResponse | undefined;
    const visitor = service.visitor();
    await visitor.get(PAGE);
    actions.push(async () => (restored = await visitor.post(PAGE, { action: "restore" })));
    await act(service, { action: "delete", confirm: "ALP" });
    assert.equal(restored?.statusCode, 404);
    assert.equal((await service.inject("/property/ALP")).statusCode, 404);
    assert.deepEqual(await findRemainingTables(service, "ALP"), []);
  });

  test("an interrupted deletion of a property is completed without affecting a new property with the same code", async () => {
    const database = await open();
    const faults: string[] = [];
    await using service = await startHotel(async () =>
      beforeMessagesGo(database, async () => {
        if (faults.length > 0) throw new Error(faults.pop());
      }),
    );
    await done(service, { action: "archive" });
    faults.push("interrupted");
    assert.equal((await act(service, { action: "delete", confirm: "ALP" })).statusCode, 500);
    assert.equal((await service.inject("/property/ALP")).statusCode, 404);
    service.clock.set(service.clock.now() + 60_000);
    await makeHotel(service);
    await postMessage(service, COUNT);
    await pruneExpired(service);
    const { messages } = await json<{ messages: { receivedAt: string }[] }>(service, "/dev/logs?property=ALP");
    assert.deepEqual(
      messages.map(({ receivedAt }) => Date.parse(receivedAt)),
      [service.clock.now()],
    );
    const changes = await changesOf(service, "ALP");
    assert.deepEqual(changes.slice(-4), ["record", "record DBL", "record SGL", "inventory DBL"]);
    assert.deepEqual([...new Set(changes.slice(0, -4))], ["record"]);
  });

  test("a property is deleted only by an administrator", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: TWO_ROLES });
    await using unlocked = await startApp({ database });
    await makeHotel(unlocked, { status: "archived" });
    await addPerson(service, "ed", "editor");
    const { visitor } = await signInByForm(service, { name: "ed" });
    assert.match(textOf(await visitor.get(PAGE)), /Only an administrator can delete a property/);
    assert.equal((await visitor.post(PAGE, { action: "delete", confirm: "ALP" })).statusCode, 403);
    assert.equal((await unlocked.inject("/property/ALP")).statusCode, 200);
  });
});

/** Calls `before` before each step that deletes messages. */
function beforeMessagesGo(database: TestApp["database"], before: () => Promise<void>): TestApp["database"] {
  const commit: TestApp["database"]["commit"] = async (batch) => {
    if (batch.lock === REMOVAL_LOCK) await before();
    return database.commit(batch);
  };
  return { ...database, commit };
}

/** Returns the tables, other than the audit log and the change feed, that still contain the property's code. */
async function findRemainingTables({ database }: TestApp, code: string): Promise<string[]> {
  const tables = [
    "property_activity",
    "rate_plan",
    "category",
    "inventory_page",
    "rate_page",
    "night_summary",
    "message",
    "past_message",
    "search_text",
  ] as const;
  const found: string[] = [];
  for (const table of tables) {
    const rows = await database.read.selectFrom(table).select("property").where("property", "=", code).execute();
    if (rows.length > 0) found.push(table);
  }
  for (const table of ["message_body", "night_undo"] as const) {
    const orphans = database.read
      .selectFrom(table)
      .select("message")
      .where("message", "not in", database.read.selectFrom("message").select("id"));
    if ((await orphans.execute()).length > 0) found.push(table);
  }
  return found;
}
