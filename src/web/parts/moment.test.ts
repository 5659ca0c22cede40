import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, textOf } from "../../../test/support/hotel.ts";
import { localMoment, serverZone } from "./moment.ts";

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

test("shows times in the time zones of the server and the property", async () => {
  for (const page of await pagesOf("Pacific/Niue"))
    assert.ok(page.includes(`${localMoment(START)} (${clockIn("Pacific/Niue")} at the property)`), page);
});

test("omits the property's date if it is the same as the server's, and its time if the time zones are the same", async () => {
  const [day = "", here = ""] = localMoment(START).split(" ");
  const near = ["Europe/Rome", "Asia/Tehran", "Africa/Abidjan"].find(
    (zone) => clockIn(zone).startsWith(day) && !clockIn(zone).endsWith(here),
  )!;
  for (const page of await pagesOf(near)) assert.ok(page.includes(`${day} ${here} (${clockIn(near).slice(11)} at the property)`), page);
  for (const page of await pagesOf(serverZone)) assert.doesNotMatch(page, /at the property\)/);
});

test("shows the time zone of the message log", async () => {
  await using service = await startApp();
  assert.ok(textOf(await service.inject("/dev/logs")).includes(`newest first. Times in ${serverZone}.`));
});
