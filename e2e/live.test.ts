import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { countMessage, makeHotel } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const ROOMS = 'Start="2026-11-21" End="2026-11-22" InvTypeCode="DBL"';

describe("following the message log", () => {
  let origin: string;
  let page: Page;
  const send = async (count: number) => {
    const body = countMessage({ control: ROOMS, counts: [[2, count]] });
    const answer = await fetch(`${origin}/channel`, { method: "POST", headers: { "content-type": "text/xml" }, body });
    assert.match(await answer.text(), /<Success\/>/);
  };

  before(async () => {
    ({ origin, page } = await openSite(makeHotel));
    page.setDefaultTimeout(4_000);
    await send(1);
    await page.goto(`${origin}/dev/logs`);
  });

  test("shows new messages without reloading the page, and stops when paused", async () => {
    await page.evaluate("(window.isSamePage = true, undefined)");
    const connected = page.waitForResponse(/\/dev\/tail/);
    await page.getByRole("button", { name: "Follow new messages" }).click();
    await page.getByText("Waiting for messages").waitFor();
    await connected;
    await send(2);
    await page.getByRole("cell", { name: /available 2/ }).waitFor();
    assert.equal(await page.evaluate("window.isSamePage"), true);
    assert.match(await page.locator(".live").innerText(), /Pause\s*1 new/);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused").waitFor();
  });
});
