import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, textOf } from "../../../test/support/hotel.ts";
import { localMoment, serverZone } from "./moment.ts";

/** What the clock shows in a zone when the app under test starts. */
function clockIn(timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(START)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString()
    .replace("T", " ")
    .slice(0, 19);
}

async function pagesOf(timeZone: string): Promise<string[]> {
  await using service = await startApp();
  await makeHotel(service, { timeZone });
  await postMessage(service, countMessage({ control: 'Start="2026-11-21" End="2026-11-22" InvTypeCode="DBL"', counts: [[2, 3]] }));
  const urls = ["/dev/logs/1", "/property/ALP", "/category/ALP/DBL/edit", "/inventories?property=ALP&category=DBL&night=2026-11-22"];
  return await Promise.all(urls.map(async (url) => textOf(await service.inject(url))));
}

test("Pages of a property tell times on its clock beside that of the server", async () => {
  for (const page of await pagesOf("Pacific/Niue"))
    assert.ok(page.includes(`${localMoment(START)} (${clockIn("Pacific/Niue")} at the property)`), page);
});

test("On the same day its time is enough, and in the same zone nothing is told twice", async () => {
  const [day = "", here = ""] = localMoment(START).split(" ");
  const near = ["Europe/Rome", "Asia/Tehran", "Africa/Abidjan"].find(
    (zone) => clockIn(zone).startsWith(day) && !clockIn(zone).endsWith(here),
  )!;
  for (const page of await pagesOf(near)) assert.ok(page.includes(`${day} ${here} (${clockIn(near).slice(11)} at the property)`), page);
  for (const page of await pagesOf(serverZone)) assert.doesNotMatch(page, /at the property\)/);
});

test("The message log tells the zone of its times", async () => {
  await using service = await startApp();
  assert.ok(textOf(await service.inject("/dev/logs")).includes(`newest first. Times in ${serverZone}.`));
});
