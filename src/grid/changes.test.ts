import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage, TODAY } from "../../test/support/hotel.ts";

const on = (first: number, last = first) => `InvTypeCode="DBL" Start="2026-11-${first}" End="2026-11-${last}"`;
const BAR = ' RatePlanCode="BAR"';
const CHILD = '<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="8" Amount="30"/></AdditionalGuestAmounts>';

type NightHistory = { message: number; at: string; sender?: string; changes: { field: string; from?: unknown; to?: unknown }[] }[];

/** Counts, amounts and restrictions of some nights, each changed once. */
async function changeNights(service: TestApp): Promise<void> {
  await makeHotel(service);
  const double = (amount: number) => ({ control: on(20, 22) + BAR, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] });
  await postMessage(service, rateMessage(double(120)));
  await postMessage(service, rateMessage(double(99.5)).replace("</BaseByGuestAmts>", `</BaseByGuestAmts>${CHILD}`));
  await postMessage(service, countMessage({ control: on(20, 21), counts: [[2, 3]] }));
  await postMessage(service, countMessage({ control: on(21), counts: [[2, 0]] }));
  await postMessage(service, availMessage({ control: on(21) + BAR, content: '<RestrictionStatus Restriction="Arrival" Status="Close"/>' }));
}

describe("changes as JSON", () => {
  let service: TestApp;

  before(async () => {
    service = await startApp();
    await changeNights(service);
  });

  const changesOf = async (id: number) => (await service.inject(`/dev/logs/${id}?format=json`)).json<{ changes: object[] }>().changes;

  test("JSON changes use the same field names and values as the grids", async () => {
    const nights = { category: "DBL", plan: "BAR", first: "2026-11-20", last: "2026-11-22" };
    const amount = { field: "amounts", tax: "after", guests: 2, age: 10, nights: 1 };
    assert.deepEqual(await changesOf(1), [
      { ...nights, field: "currency", to: "EUR" },
      { ...nights, ...amount, to: "120.00", currencies: { to: "EUR" } },
    ]);
    assert.deepEqual(
      (await changesOf(2)).find((change) => "tax" in change),
      { ...nights, ...amount, from: "120.00", to: "99.50", currencies: { from: "EUR", to: "EUR" } },
    );
    const [extras] = (await changesOf(2)).filter((change) => "field" in change && change.field === "extras") as { to?: object[] }[];
    assert.deepEqual(extras?.to, [{ amount: "30.00", age: 8, tax: "after" }]);
    assert.deepEqual(await changesOf(4), [
      { category: "DBL", first: "2026-11-21", last: "2026-11-21", field: "available", from: 3, to: 0 },
    ]);
    assert.deepEqual(await changesOf(5), [{ ...nights, first: "2026-11-21", last: "2026-11-21", field: "closedToArrival", to: true }]);
  });

  test("the console returns a dry run's changes as JSON", async () => {
    const sent = { action: "send", run: "dry", transport: "raw", xml: countMessage({ control: on(20), counts: [[2, 1]] }) };
    const visitor = service.visitor();
    await visitor.get("/dev/channel");
    const { id, changes } = (await visitor.post("/dev/channel", sent, { accept: "application/json" })).json<{
      id: number;
      changes: object[];
    }>();
    assert.equal(await changesOf(id), null, "the log stores only the number of nights");
    assert.deepEqual(changes, [{ category: "DBL", first: "2026-11-20", last: "2026-11-20", field: "available", from: 3, to: 1 }]);
  });

  const historyOf = async (url: string) => (await service.inject(`${url}&format=json`)).json<{ history?: NightHistory }>().history;

  test("lists the selected night's changes newest first", async () => {
    const counts = await historyOf("/inventories?property=ALP&nightCategory=DBL&night=2026-11-21");
    assert.deepEqual(
      counts!.map(({ at, ...event }) => ({ ...event, at: at.slice(0, 10) })),
      [
        { message: 4, at: TODAY, sender: "pms", changes: [{ field: "available", from: 3, to: 0 }] },
        { message: 3, at: TODAY, sender: "pms", changes: [{ field: "available", to: 3 }] },
      ],
    );
    const rates = await historyOf("/rates?property=ALP&nightCategory=DBL&nightPlan=BAR&night=2026-11-21");
    assert.deepEqual(
      rates!.map(({ message, changes }) => [message, changes.map(({ field, to }) => [field, to])]),
      [
        [5, [["closedToArrival", true]]],
        [
          2,
          [
            ["extras", [{ amount: "30.00", age: 8, tax: "after" }]],
            ["amounts", "99.50"],
          ],
        ],
        [
          1,
          [
            ["currency", "EUR"],
            ["amounts", "120.00"],
          ],
        ],
      ],
    );
    assert.equal(await historyOf("/rates?property=ALP"), undefined);
  });
});
