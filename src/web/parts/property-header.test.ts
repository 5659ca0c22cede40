import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, START } from "../../../test/support/app.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, textOf } from "../../../test/support/hotel.ts";

const PAGES: readonly (readonly [url: string, tab: string])[] = [
  ["/property/ALP", "Overview"],
  ["/property/ALP/edit", "Overview"],
  ["/property/ALP?view=history", "History"],
  ["/inventories?property=ALP", "Inventories"],
  ["/rates?property=ALP", "Rates"],
  ["/category?hotelCode=ALP", "Categories"],
  ["/category/ALP/DBL/edit", "Categories"],
  ["/dev/logs?property=ALP", "Messages"],
];

test("every page of a property shows its status, last message and tabs", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await service.visitor().post("/property/ALP/edit", { city: "Meran" });
  assert.match(textOf(await service.inject("/property/ALP")), /ALP Meran active no messages yet/);
  const control = 'InvTypeCode="DBL" Start="2026-11-25" End="2026-11-25"';
  await postMessage(service, countMessage({ control, counts: [[2, 1]] }), "pms");
  service.clock.set(START + 3 * 60_000 + 5_000);
  for (const [url, tab] of PAGES) {
    const page = await service.inject(url);
    assert.match(textOf(page), /ALP Meran active last message 3 min ago, 2026-11-20 09:00:00 from pms/, url);
    assert.match(page.body, new RegExp(`aria-current="page">${tab}</a>`), url);
  }
  await postXml(service, countMessage({ control: control.replace("DBL", "NONE"), counts: [[2, 1]] }), "other");
  assert.match(textOf(await service.inject("/property/ALP")), /last message just now, [\d :-]+ from other refused/);
  for (const url of ["/dev/logs", "/dev/logs?property=NONE", "/category", "/property"])
    assert.doesNotMatch((await service.inject(url)).body, /property-header/, url);
});

test("tabs keep the dates and filters of the grid", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await makeProperty(service, { code: "SEA", name: "Seaside" });
  const nights = "from=2026-12-24&days=28&category=DBL";
  let url = `/inventories?property=ALP&${nights}`;
  for (const tab of ["Messages", "Categories", "History", "Overview", "Rates"]) {
    const { body, statusCode } = await service.inject(url);
    assert.equal(statusCode, 200, url);
    const tabs = body.slice(body.indexOf('class="property-tabs"'));
    url = new RegExp(`href="([^"]+)"[^>]*>${tab}<`).exec(tabs)![1]!.replaceAll("&amp;", "&");
  }
  assert.equal(url, `/rates?property=ALP&${nights}`);
  const log = await service.inject(`/dev/logs?property=ALP&nights=${encodeURIComponent(nights)}`);
  assert.match(
    log.body,
    /<form class="filters"[^>]*>\s*<input type="hidden" name="nights" value="from=2026-12-24&amp;days=28&amp;category=DBL"/,
  );
});
