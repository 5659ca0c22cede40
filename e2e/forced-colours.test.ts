import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const NIGHTS = 'InvTypeCode="DBL" Start="2026-11-20" End="2026-11-21"';
const LATER_NIGHTS = 'InvTypeCode="DBL" Start="2026-11-22" End="2026-11-23"';
const CLOSED_NIGHTS = 'InvTypeCode="DBL" Start="2026-11-24" End="2026-11-25"';

describe("forced colours mode", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
    await page.emulateMedia({ forcedColors: "active" });
  });

  const styleOf = (selector: string, property: string, pseudo = "") =>
    page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}"), "${pseudo}").${property}`);

  test("shows bars and hatching in each calendar view", async () => {
    for (const view of ["grid", "calendar"]) {
      await page.goto(`${origin}/inventories?property=ALP&view=${view}`);
      for (const state of [".zero", ".left-3"])
        assert.match(await styleOf(`td${state}`, "backgroundImage"), /gradient/, `${view}: ${state}`);
    }
    await page.goto(`${origin}/rates?property=ALP&view=list`);
    assert.match(await styleOf("dd.closed", "backgroundImage"), /gradient/);
    await page.goto(`${origin}/category/ALP/DBL/edit`);
    assert.match(await styleOf(".nights .sold", "backgroundImage"), /gradient/);
  });

  test("uses the text colour for text on bars and hatching", async () => {
    await page.goto(`${origin}/inventories?property=ALP`);
    const textColour = await styleOf("td.gap > a", "color");
    assert.equal(await styleOf("td.zero > a", "color"), textColour);
    assert.equal(await styleOf("td.left-3 > a", "color"), textColour);
  });

  test("keeps the sort arrow visible", async () => {
    await page.goto(`${origin}/property`);
    assert.equal(await styleOf("[aria-sort=ascending] a", "borderLeftColor", "::after"), "rgba(0, 0, 0, 0)");
    assert.notEqual(await styleOf("[aria-sort=ascending] a", "borderBottomColor", "::after"), "rgba(0, 0, 0, 0)");
  });
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  await postMessage(service, countMessage({ control: NIGHTS, counts: [[2, 3]] }, { control: LATER_NIGHTS, counts: [[2, 0]] }));
  await postMessage(service, availMessage({ control: CLOSED_NIGHTS, content: '<RestrictionStatus Status="Close"/>' }));
}
