import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage, textOf } from "../../../test/support/hotel.ts";

const on = (first: number, last = first) => `InvTypeCode="DBL" Start="2026-11-${first}" End="2026-11-${last}"`;
const status = (value: "Open" | "Close") => `<RestrictionStatus Status="${value}"/>`;
const BAR = ' RatePlanCode="BAR"';

describe("the panel of a night", () => {
  let service: TestApp;

  before(async () => {
    service = await startApp();
    await makeHotel(service);
    await postMessage(service, rateMessage({ control: on(20, 24) + BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="120"'] }));
    await postMessage(service, countMessage({ control: on(20, 23), counts: [[2, 3]] }, { control: on(21), counts: [[2, 0]] }));
    await postMessage(
      service,
      availMessage({ control: on(22) + BAR, content: status("Close") }, { control: on(23), content: status("Close") }),
    );
  });

  const panelOf = async (query: string) => textOf(await service.inject(`/rates?property=ALP&nightCategory=DBL&${query}`));

  test("says whether the night is on sale, and if not, why", async () => {
    for (const [day, sale] of [
      [20, "yes"],
      [21, "no: no room, or no allotment, is left"],
      [22, "no: stop sell"],
      [23, "no: stop sell of the whole category"],
      [24, "no: no count of rooms was received"],
    ] as const)
      assert.match(
        await panelOf(`nightPlan=BAR&night=2026-11-${day}`),
        new RegExp(`rate plan BAR Close the history on sale ${sale} (?!of)`),
      );
    assert.doesNotMatch(await panelOf("nightPlan=BAR&night=2026-11-25"), /on sale/, "of which nothing was received");
  });

  test("leads to what closed the whole category, and to the counts", async () => {
    const { body } = await service.inject("/rates?property=ALP&nightCategory=DBL&nightPlan=BAR&night=2026-11-23");
    assert.match(
      await follow(body, "stop sell of the whole category"),
      /DBL, no rate plan Close the history on sale no: stop sell stop sell yes/,
    );
    assert.match(await follow(body, "Counts of this night"), /Mon 23 November 2026: DBL Close the history available 3/);
    const counts = await service.inject("/inventories?property=ALP&nightCategory=DBL&night=2026-11-23&view=list");
    const rates = await follow(counts.body, "Rates of this night");
    assert.match(rates, /Mon 23 November 2026: DBL, no rate plan/);
  });

  test("does not say of a category without a rate plan that it has no price", async () => {
    await postMessage(service, availMessage({ control: on(20), content: status("Open") }));
    const panel = await panelOf("nightPlan=&night=2026-11-20");
    assert.match(panel, /no rate plan Close the history stop sell no/);
  });

  test("does not say it of a row that is not shown", async () => {
    assert.doesNotMatch(await panelOf("nightPlan=&plan=BAR&night=2026-11-23"), /on sale/);
    assert.doesNotMatch(await panelOf("nightPlan=BAR&from=2027-01-01&night=2026-11-23"), /on sale/);
  });

  async function follow(body: string, label: string): Promise<string> {
    const [, to = ""] = new RegExp(`href="([^"]+)">${label}<`).exec(body) ?? [];
    return textOf(await service.inject(to.replaceAll("&amp;", "&")));
  }
});
