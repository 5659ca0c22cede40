import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../test/support/hotel.ts";
import { DAY_MS } from "../calendar/night.ts";
import { clean } from "./housekeeping.ts";

const HOUR_MS = 3_600_000;

eachEngine("housekeeping", (open) => {
  test("removes sessions that are over, and leaves the others", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const [over, kept] = [service.visitor(), service.visitor()];
    await over.get("/property/new");
    service.clock.set(START + HOUR_MS);
    await kept.get("/property/new");
    service.clock.set(START + 8 * HOUR_MS + 1);
    await clean(service);
    const rows = await database.read.selectFrom("session").select("seen_at").execute();
    assert.deepEqual(
      rows.map((row) => row.seen_at),
      [START + HOUR_MS],
    );
  });

  test("removes messages and nights that are older than the settings keep", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_LOG_DAYS: "30", KEEP_NIGHTS_DAYS: "60" } });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
    const left = async () => {
      const [log, nights] = await Promise.all([
        service.inject("/dev/logs?format=json"),
        service.inject(`/inventories?property=ALP&category=DBL&from=${TODAY}&format=json`),
      ]);
      const { messages } = log.json<{ messages: object[] }>();
      const { categories } = nights.json<{ categories: { nights: { available?: number }[] }[] }>();
      return [messages.length, categories[0]?.nights[0]?.available];
    };
    service.clock.set(START + 29 * DAY_MS);
    await clean(service);
    assert.deepEqual(await left(), [1, 3]);
    service.clock.set(START + 500 * DAY_MS);
    await clean(service);
    assert.deepEqual(await left(), [0, undefined]);
  });
});
