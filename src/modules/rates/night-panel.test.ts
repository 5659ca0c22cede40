import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage, textOf } from "../../../test/support/hotel.ts";

const on = (first: number, last = first) => `InvTypeCode="DBL" Start="2026-11-${first}" End="2026-11-${last}"`;
const status = (value: "Open" | "Close") => `<RestrictionStatus Status="${value}"/>`;
const BAR = ' RatePlanCode="BAR"';

describe("the night panel", () => {
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

  test("shows whether the night can be sold, or why not", async () => {
    for (const [day, sale] of [
      [20, "For sale\\."],
      [21, "Not for sale: no rooms left in category DBL since 2026-11-20 .*, message 2 from pms\\."],
      [22, "Not for sale: stop sell on rate plan BAR since 2026-11-20 .*, message 3 from pms\\."],
      [23, "Not for sale: stop sell on category DBL since 2026-11-20 .*, message 3 from pms\\."],
      [24, "Not for sale: no room count received\\."],
    ] as const)
      assert.match(await panelOf(`nightPlan=BAR&night=2026-11-${day}`), new RegExp(`rate plan BAR Close ${sale} (Stop|Curr)`));
    assert.match(await panelOf("nightPlan=BAR&night=2026-11-25"), /Not for sale: no room count received; no price received\./);
  });

  test("lists the message that closed the category, and links to the counts", async () => {
    const { body } = await service.inject("/rates?property=ALP&nightCategory=DBL&nightPlan=BAR&night=2026-11-23");
    assert.match(body, /Whole category, stop sell: from nothing to <b>yes<\/b>/);
    assert.match(
      await follow(body, "Counts for this night"),
      /Mon 23 November 2026: DBL Close Not for sale: stop sell on category DBL since .*, message 3 .* Available 3/,
    );
    const counts = await service.inject("/inventories?property=ALP&nightCategory=DBL&night=2026-11-23&view=list");
    const rates = await follow(counts.body, "Rates for this night");
    assert.match(rates, /Mon 23 November 2026: DBL, no rate plan/);
  });

  test("charts the free rooms and a price since the first change", async () => {
    const hour = 3_600_000;
    const later = async (hours: number, message: string) => {
      service.clock.set(service.clock.now() + hours * hour);
      await postMessage(service, message);
    };
    await postMessage(service, countMessage({ control: on(27), counts: [[2, 8]] }));
    await postMessage(service, rateMessage({ control: on(27) + BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="120"'] }));
    const counts = "/inventories?property=ALP&nightCategory=DBL&night=2026-11-27";
    const rates = "/rates?property=ALP&nightCategory=DBL&nightPlan=BAR&night=2026-11-27";
    assert.doesNotMatch(textOf(await service.inject(counts)), /since the first change/);
    await later(6, countMessage({ control: on(27), counts: [[2, 2]] }));
    await later(0, rateMessage({ control: on(27) + BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="99.5"'] }));
    service.clock.set(service.clock.now() + 6 * hour);
    const { body } = await service.inject(counts);
    assert.match(textOf({ body } as never), /available since the first change 2–8 free rooms since the first change/);
    // Eight rooms for the first half of the time, then two.
    assert.match(body, /<path d="M0,18V1H(?:59|60|58)(?:\.\d)?V13\.8H120V18" \/>/);
    assert.match(textOf(await service.inject(rates)), /99\.50? EUR–120\.?0* EUR since the first change/);
    service.clock.set(service.clock.now() - 12 * hour);
  });

  test("does not report a missing price in the row without a rate plan", async () => {
    await postMessage(service, availMessage({ control: on(20), content: status("Open") }));
    const panel = await panelOf("nightPlan=&night=2026-11-20");
    assert.match(panel, /no rate plan Close Stop sell no/);
  });

  test("shows whether the night can be sold even if the grid hides the night", async () => {
    for (const query of ["plan=HB&nightPlan=BAR", "nightPlan=BAR&from=2027-01-01", "nightPlan=BAR&only=zero"])
      assert.match(await panelOf(`${query}&night=2026-11-23`), /Not for sale: stop sell on category DBL since/, query);
  });

  async function follow(body: string, label: string): Promise<string> {
    const [, to = ""] = new RegExp(`href="([^"]+)">${label}<`).exec(body) ?? [];
    return textOf(await service.inject(to.replaceAll("&amp;", "&")));
  }
});
