import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage } from "../../../test/support/hotel.ts";
import { formatNight, parseNight } from "../../calendar/night.ts";

const FIRST = parseNight("2026-11-20")!;

test("Of very many changes the entry of a message shows the first, and says so", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const runs = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const night = formatNight(FIRST + at);
      return `<Inventory><StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${1 + (at % 9)}"/></InvCounts></Inventory>`;
    }).join("");
  const one = countMessage({ control: `Start="2026-11-20" End="2026-11-20" InvTypeCode="DBL"` });
  await postMessage(service, one.replace(/<Inventory>.*<\/Inventory>/s, runs(300)));
  const { body } = await service.inject("/dev/logs/1");
  assert.match(body, /The first 200 of 300 changes\./);
  assert.equal(body.match(/data-label="to"/g)?.length, 200);
  assert.doesNotMatch((await service.inject("/dev/logs/1?format=json")).body, /The first 200/);
});
