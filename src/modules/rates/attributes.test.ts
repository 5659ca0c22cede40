import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { availMessage, makeHotel, postMessage, postXml, rateMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const on = (plan: string) => `InvTypeCode="DBL" Start="${TODAY}" End="${TODAY}" RatePlanCode="${plan}"`;
const least = (flag: boolean, nights: number) =>
  `<LengthsOfStay ArrivalDateBased="${flag}"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="${nights}"/></LengthsOfStay>`;
const CHILD = 'NumberOfGuests="1" AgeQualifyingCode="8" MinAge="2" MaxAge="5" AmountAfterTax="30.50"';

type Night = { sale: string; [field: string]: unknown };
type Grid = { categories: { plans: { code: string; nights: Night[] }[] }[]; history?: { changes: object[] }[] };

describe("stay limits of both kinds, allotments and prices by age", () => {
  let service: TestApp;

  before(async () => {
    service = await startApp();
    await makeHotel(service);
    await postMessage(service, rateMessage({ control: on("BAR"), amounts: ['NumberOfGuests="2" AmountAfterTax="120"', CHILD] }));
    await postMessage(service, availMessage({ control: on("BAR"), content: least(true, 5) + least(false, 3) }));
    const limits = availMessage({ control: on("BAR"), content: "" }, { control: on("NRF"), content: "" });
    const rooms = ["4", "0"];
    await postXml(
      service,
      limits.replaceAll("<AvailStatusMessage>", () => `<AvailStatusMessage BookingLimit="${rooms.shift()}">`),
    );
  });

  const gridOf = async (query: string) => (await service.inject(`/rates?property=ALP&days=7&${query}&format=json`)).json<Grid>();

  test("the rates grid shows stay limits of both kinds, allotments and prices by age in its cells and legend", async () => {
    const { body } = await service.inject("/rates?property=ALP");
    const cell = new RegExp(`<td[^>]*>(?:(?!</td>).)*<b>120</b>((?:(?!</td>).)*)</td>`, "s").exec(body)![1]!;
    const badges = [...cell.matchAll(/<i[^>]*>([^<]+)<\/i>/g)].map(([, badge]) => badge);
    assert.deepEqual(badges, ["ALT 4", "5n", "MIN-T 3"]);
    const legend = /aria-label="Legend".*?<\/section>/s.exec(body)![0];
    for (const meaning of ["rooms that may be sold under this rate plan", "minimum stay (through)"])
      assert.ok(legend.includes(meaning), meaning);
  });

  test("rates exports contain stay limits of both kinds, allotments, prices by age and whether each night can be sold", async () => {
    const [bar, nrf] = (await gridOf("category=DBL")).categories[0]!.plans;
    const { sale, allotment, minStayArrival, minStayThrough, amounts } = bar!.nights[0]!;
    assert.deepEqual(
      { sale, allotment, minStayArrival, minStayThrough },
      { sale: "sellable", allotment: 4, minStayArrival: 5, minStayThrough: 3 },
    );
    assert.deepEqual((amounts as object[])[1], { tax: "after", guests: 1, age: 8, nights: 1, minAge: 2, maxAge: 5, amount: "30.50" });
    assert.deepEqual([nrf!.code, nrf!.nights[0]!.sale, nrf!.nights[0]!["allotment"]], ["NRF", "sold out", 0]);
    const [heads, row] = (await service.inject("/rates?property=ALP&days=7&category=DBL&format=csv")).body.split("\r\n") as [
      string,
      string,
    ];
    const cells = Object.fromEntries(heads.split(",").map((head, index) => [head, row.split(",")[index]]));
    const { minStayThrough: through, allotment: rooms, allotmentMessage, amounts: all } = cells;
    assert.deepEqual([through, rooms, allotmentMessage, all], ["3", "4", "3", "after 2 10 1 120.00; after 1 8:2-5 1 30.50"]);
  });

  test("a night's panel and history show stay limits of both kinds, allotments and prices by age", async () => {
    const query = `property=ALP&nightCategory=DBL&nightPlan=BAR&night=${TODAY}`;
    const panel = textOf(await service.inject(`/rates?${query}`));
    for (const text of ["For sale.", "Amount after tax, 1 child from 2 to 5 years 30.50", "Allotment 4", "Minimum stay (through) 3 nights"])
      assert.ok(panel.includes(text), `${text} in ${panel}`);
    const history = JSON.stringify((await gridOf(query)).history);
    const child = { field: "amounts", tax: "after", guests: 1, age: 8, nights: 1, minAge: 2, maxAge: 5, to: "30.50" };
    for (const part of [child, { field: "allotment", to: 4 }, { field: "minStayThrough", to: 3 }])
      assert.ok(history.includes(JSON.stringify(part).slice(0, -1)), `${JSON.stringify(part)} in ${history}`);
  });

  test("a plan's allotment is shown even if the plan has no amounts", async () => {
    const { body } = await service.inject("/rates?property=ALP");
    assert.match(body, /<i>ALT 0<\/i>/);
  });
});
