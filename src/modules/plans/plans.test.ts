import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { availMessage, editRecord, makeHotel, postMessage, postXml, rateMessage, summarise, textOf } from "../../../test/support/hotel.ts";

const NIGHTS = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"];
const PLANS = "/tools/plans?property=ALP";

type Plan = { code: string; name?: string; status: string; pricedNights: number; version: number; lastPrices?: { message: number } };
type Night = { night: string; sellable: boolean; sale: string; price?: { amount: string }; minStayArrival?: number };

const on = (plan: string, first: number, last = first) =>
  `Start="${NIGHTS[first]}" End="${NIGHTS[last]}" InvTypeCode="DBL" RatePlanCode="${plan}"`;
const price = (plan: string, amount: string, [first, last]: readonly [number, number] = [0, 3]) =>
  rateMessage({ control: on(plan, first, last), amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] });

async function startHotel(open: () => Promise<TestApp["database"]>): Promise<TestApp> {
  const service = await startApp({ database: await open() });
  await makeHotel(service);
  return service;
}

async function json<T>(service: TestApp, url: string): Promise<T> {
  return (await service.inject({ url, headers: { accept: "application/json" } })).json<T>();
}

async function plansOf(service: TestApp): Promise<Plan[]> {
  return (await json<{ plans: Plan[] }>(service, PLANS)).plans;
}

async function act(service: TestApp, plan: string, fields: Record<string, string>): Promise<void> {
  const response = await service.visitor().post(`${PLANS}&plan=${plan}`, fields);
  assert.equal(response.statusCode, 303, textOf(response));
}

/** Posts to the list of rate plans. */
async function post(service: TestApp, fields: Record<string, string>): Promise<LightMyRequestResponse> {
  const visitor = service.visitor();
  await visitor.get(`${PLANS}&view=new`);
  return visitor.post(PLANS, fields);
}

/** Returns the nights of category DBL for a plan; empty if the plan has none. */
async function nightsOf(service: TestApp, plan: string): Promise<Night[]> {
  const url = `/rates?property=ALP&category=DBL&from=${NIGHTS[0]}&days=7`;
  const { categories } = await json<{ categories: { plans: { code: string; nights: Night[] }[] }[] }>(service, url);
  return categories[0]?.plans.find(({ code }) => code === plan)?.nights.slice(0, NIGHTS.length) ?? [];
}

async function pricesOf(service: TestApp, plan: string): Promise<(string | undefined)[]> {
  return (await nightsOf(service, plan)).map((night) => night.price?.amount);
}

type Change = { kind: string; plan?: string; nights?: { first: string; last: string }[]; message?: number };

async function changesOf(service: TestApp): Promise<Change[]> {
  return (await json<{ changes: Change[] }>(service, "/changes")).changes;
}

type Entry = { subject: string; action: string; changes: { field: string; from: string; to: string }[] };

async function auditOf(service: TestApp, subject: string): Promise<Entry[]> {
  return (await json<{ entries: Entry[] }>(service, `/tools/audit?subject=${subject}`)).entries;
}

eachEngine("rate plans", (open) => {
  test("rate plans are listed on a tab of the property with their prices and last message", async () => {
    await using service = await startHotel(open);
    assert.match(textOf(await service.inject(PLANS)), /No rate plans yet/);
    await postMessage(service, price("BAR", "90.00"));
    await postMessage(service, price("BAR", "95.00", [0, 0]), "other");
    const { body } = await service.inject("/property/ALP");
    assert.match(body, /href="\/tools\/plans\?property=ALP"\s*>Rate plans/);
    const page = textOf(await service.inject(PLANS));
    assert.match(page, /BAR .* 4 .* from other/);
    const [plan] = await plansOf(service);
    assert.equal(plan!.pricedNights, 4);
    assert.equal((await service.inject("/tools/plans?property=NONE")).statusCode, 404);
    assert.equal((await service.inject(`${PLANS}&plan=NONE`)).statusCode, 404);
  });

  test("rate plans can be created and edited, and the history, audit log and change feed show the edits", async () => {
    await using service = await startHotel(open);
    const created = await post(service, { action: "create", code: "NRF", name: "Non-refundable", mealPlan: "3" });
    assert.equal(created.statusCode, 303);
    const again = await post(service, { action: "create", code: "NRF" });
    assert.match(textOf(again), /rate plan NRF already exists/);
    const wrong = await service.visitor().post(`${PLANS}&plan=NRF`, { action: "save", mealPlan: "28", currency: "XX" });
    assert.equal(wrong.statusCode, 422);
    assert.match(textOf(wrong), /Choose a meal plan.*three-letter currency code/);
    await act(service, "NRF", { action: "save", currency: "CHF", parentNote: "BAR minus 10%" });
    const page = textOf(await service.inject(`${PLANS}&plan=NRF`));
    assert.match(page, /Derived from: BAR minus 10%/);
    const stale = await service.visitor().post(`${PLANS}&plan=NRF`, { action: "save", version: "1", name: "Mine" });
    assert.match(textOf(stale), /changed while the form was open/);
    assert.deepEqual(
      (await auditOf(service, "plan:ALP/NRF")).map(({ action, changes }) => [action, changes.map(({ field, to }) => `${field} ${to}`)]),
      [
        ["update", ["currency CHF", "parentNote BAR minus 10%"]],
        ["create", ["name Non-refundable", "mealPlan 3", "status active"]],
      ],
    );
    const changes = await changesOf(service);
    assert.equal(changes.filter(({ kind, plan }) => kind === "record" && plan === "NRF").length, 2);
  });

  test("rate plans are not for sale while retired, and messages for them cause a warning", async () => {
    await using service = await startHotel(open);
    await postMessage(service, countsOfDouble());
    await postMessage(service, price("BAR", "90.00"));
    await postMessage(service, price("NRF", "80.00"));
    await summarise(service);
    const lowest = async () => {
      await summarise(service);
      const { properties } = await json<{ properties: { nights: { price?: string }[] }[] }>(service, `/rates?from=${NIGHTS[0]}`);
      return properties[0]!.nights[0]!.price;
    };
    assert.equal(await lowest(), "80.00");
    await act(service, "NRF", { action: "retire" });
    assert.equal(await lowest(), "90.00");
    const [night] = await nightsOf(service, "NRF");
    assert.deepEqual([night!.sellable, night!.sale], [false, "not active"]);
    const panel = textOf(await service.inject(`/rates?property=ALP&from=${NIGHTS[0]}&night=${NIGHTS[0]}&nightCategory=DBL&nightPlan=NRF`));
    assert.match(panel, /rate plan NRF is retired/);
    const answer = await postXml(service, price("NRF", "70.00"));
    assert.match(answer.body, /<Success\/>/);
    assert.match(answer.body, /rate plan NRF is retired: its nights are stored, but not for sale/);
    assert.deepEqual(await pricesOf(service, "NRF"), ["70.00", "70.00", "70.00", "70.00"]);
    assert.equal((await plansOf(service)).find(({ code }) => code === "NRF")!.status, "retired");
    await act(service, "NRF", { action: "restore" });
    assert.equal(await lowest(), "70.00");
    assert.doesNotMatch((await postXml(service, price("NRF", "71.00"))).body, /retired/);
  });

  test("rate plans are refused while retired if the property accepts only known rate plans", async () => {
    await using service = await startHotel(open);
    await postMessage(service, price("NRF", "80.00"));
    await editRecord(service, "/property/ALP/edit", { knownPlansOnly: "on" });
    await act(service, "NRF", { action: "retire" });
    const { body } = await postXml(service, price("NRF", "70.00"));
    assert.match(body, /Code="783"/);
    assert.deepEqual(await pricesOf(service, "NRF"), ["80.00", "80.00", "80.00", "80.00"]);
  });

  test("rate plans can be merged into another plan that keeps its own nights, and the merge can be undone", async () => {
    await using service = await startHotel(open);
    await postMessage(service, price("NRF", "80.00", [0, 1]));
    await postMessage(service, price("NRX", "70.00", [1, 3]));
    await postMessage(service, availMessage({ control: on("NRX", 1, 3), content: minimumStay(2) }));
    const preview = await json<{ moved: number; dropped: number }>(service, `${PLANS}&plan=NRX&view=merge&into=NRF`);
    assert.deepEqual(preview, { moved: 2, dropped: 1 });
    assert.match(textOf(await service.inject(`${PLANS}&plan=NRX&view=merge&into=NRF`)), /Nights to move 2 .* Nights to remove 1/);
    await act(service, "NRX", { action: "merge", into: "NRF" });
    assert.deepEqual(await pricesOf(service, "NRF"), ["80.00", "80.00", "70.00", "70.00"]);
    assert.deepEqual(
      (await nightsOf(service, "NRF")).map(({ minStayArrival }) => minStayArrival),
      [undefined, undefined, 2, 2],
    );
    assert.deepEqual(
      (await plansOf(service)).map(({ code }) => code),
      ["NRF"],
    );
    assert.deepEqual(await nightsOf(service, "NRX"), []);
    const [merged] = await auditOf(service, "plan:ALP/NRX");
    assert.deepEqual(
      merged!.changes.map(({ to }) => to),
      ["NRF", "2", "1"],
    );
    const feed = (await changesOf(service)).slice(-4).map(({ kind, plan, nights = [] }) => {
      return [kind, plan, ...nights.map(({ first, last }) => `${first} to ${last}`)].join(" ");
    });
    assert.deepEqual(feed.toSorted(), [
      "rates NRF 2026-11-22 to 2026-11-23",
      "rates NRX 2026-11-21 to 2026-11-23",
      "record NRF",
      "record NRX",
    ]);
    await postMessage(service, price("NRF", "99.00", [3, 3]));
    await undoLast(service, /Rate plan NRX was restored\. Nights not restored: 1\./);
    assert.deepEqual(await pricesOf(service, "NRF"), ["80.00", "80.00", undefined, "99.00"]);
    assert.deepEqual(await pricesOf(service, "NRX"), [undefined, "70.00", "70.00", "70.00"]);
    assert.deepEqual(
      (await nightsOf(service, "NRX")).map(({ minStayArrival }) => minStayArrival),
      [undefined, 2, 2, 2],
    );
    assert.equal((await json<{ edits: { canUndo: boolean }[] }>(service, PLANS)).edits.filter(({ canUndo }) => canUndo).length, 0);
  });

  test("rate plans are removed with their nights after a preview, and can be restored", async () => {
    await using service = await startHotel(open);
    await postMessage(service, price("BAR", "90.00"));
    await act(service, "BAR", { action: "save", name: "Best available" });
    assert.deepEqual(await json(service, `${PLANS}&plan=BAR&view=remove`), { dropped: 4 });
    assert.match(textOf(await service.inject(`${PLANS}&plan=BAR&view=remove`)), /Nights to remove 4/);
    await act(service, "BAR", { action: "remove" });
    assert.deepEqual(await plansOf(service), []);
    assert.deepEqual(await nightsOf(service, "BAR"), []);
    assert.doesNotMatch(textOf(await service.inject("/tools/search?q=available")), /Best available/);
    const log = textOf(await service.inject("/dev/logs?via=record"));
    assert.match(log, /Rate plan BAR was removed with its nights/);
    const { messages } = await json<{ messages: { id: number }[] }>(service, "/dev/logs?via=record");
    const entry = await service.inject(`/dev/logs/${messages[0]!.id}`);
    assert.doesNotMatch(entry.body, /Replay this message/);
    await undoLast(service, /Rate plan BAR was restored/);
    assert.deepEqual(await pricesOf(service, "BAR"), ["90.00", "90.00", "90.00", "90.00"]);
    assert.equal((await plansOf(service))[0]!.name, "Best available");
    const twice = await post(service, { action: "undo", message: String(messages[0]!.id) });
    assert.equal(twice.statusCode, 409);
  });

  test("only the newest edit of rate plans can be undone, and only if the sender has not removed the plan since", async () => {
    await using service = await startHotel(open);
    await postMessage(service, countsOfDouble());
    await postMessage(service, price("NRF", "80.00", [0, 1]));
    await postMessage(service, price("NRX", "70.00", [1, 3]));
    await act(service, "NRX", { action: "merge", into: "NRF" });
    await act(service, "NRF", { action: "remove" });
    const [removal, merge] = (await json<{ edits: { message: number; canUndo: boolean }[] }>(service, PLANS)).edits;
    assert.deepEqual([removal!.canUndo, merge!.canUndo], [true, false]);
    const undo = (message: number) => post(service, { action: "undo", message: String(message) });
    assert.match(textOf(await undo(merge!.message)), /Undo the later edits first/);
    assert.equal((await undo(1)).statusCode, 409);
    assert.equal((await undo(removal!.message)).statusCode, 303);
    await postMessage(service, price("NRX", "71.00", [1, 1]));
    await postXml(
      service,
      `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><RatePlans HotelCode="ALP"><RatePlan RatePlanNotifType="Remove" RatePlanCode="NRX"/></RatePlans></OTA_HotelRatePlanNotifRQ>`,
    );
    const refused = await undo(merge!.message);
    assert.equal(refused.statusCode, 409);
    assert.match(textOf(refused), /Rate plan NRX was removed by its sender after this edit/);
    assert.deepEqual(await pricesOf(service, "NRX"), []);
  });

  test("rate plans are not for sale if their status is removed", async () => {
    await using service = await startHotel(open);
    await postMessage(service, countsOfDouble());
    await postMessage(service, price("BAR", "90.00"));
    await act(service, "BAR", { action: "save", status: "removed" });
    assert.deepEqual(
      (await nightsOf(service, "BAR")).map(({ sellable }) => sellable),
      [false, false, false, false],
    );
  });

  test("rate plans are restored only in categories that still exist", async () => {
    await using service = await startHotel(open);
    await postMessage(service, price("BAR", "90.00"));
    await act(service, "BAR", { action: "remove" });
    await service.database.write.deleteFrom("category").where("code", "=", "DBL").execute();
    await undoLast(service, /Rate plan BAR was restored\. Nights not restored: 4\./);
    assert.equal((await service.database.read.selectFrom("rate_page").selectAll().where("plan", "=", "BAR").execute()).length, 0);
  });

  test("rate plans can be removed without changing the time of the property's last message", async () => {
    await using service = await startHotel(open);
    await postMessage(service, price("BAR", "90.00"));
    const before = (await json<{ lastMessageAt: string }>(service, "/property/ALP")).lastMessageAt;
    service.clock.set(service.clock.now() + 3_600_000);
    await act(service, "BAR", { action: "remove" });
    assert.equal((await json<{ lastMessageAt: string }>(service, "/property/ALP")).lastMessageAt, before);
    assert.match(textOf(await service.inject("/property/ALP")), /Last accepted message/);
  });
});

async function undoLast(service: TestApp, flash: RegExp): Promise<void> {
  const { edits } = await json<{ edits: { message: number; canUndo: boolean }[] }>(service, PLANS);
  const visitor = service.visitor();
  const response = await visitor.post(PLANS, { action: "undo", message: String(edits.find(({ canUndo }) => canUndo)!.message) });
  assert.equal(response.statusCode, 303, textOf(response));
  assert.match((await visitor.get(PLANS)).body, flash);
}

function countsOfDouble(): string {
  const control = `Start="${NIGHTS[0]}" End="${NIGHTS[3]}" InvTypeCode="DBL"`;
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="4.000"><Inventories HotelCode="ALP"><Inventory><StatusApplicationControl ${control}/><InvCounts><InvCount CountType="2" Count="5"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
}

function minimumStay(nights: number): string {
  return `<LengthsOfStay ArrivalDateBased="1"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="${nights}" TimeUnit="Day"/></LengthsOfStay>`;
}
