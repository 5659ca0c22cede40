import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { allMessages } from "../../test/support/error-log.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../test/support/hotel.ts";
import { runUntil } from "../../test/support/time.ts";
import { DAY_MS } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { pruneExpired, cleanIfDue, startHousekeeping } from "./housekeeping.ts";

const HOUR_MS = 3_600_000;

eachEngine("housekeeping", (open) => {
  test("deletes only expired sessions", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const [over, kept] = [service.visitor(), service.visitor()];
    await over.get("/property/new");
    service.clock.set(START + HOUR_MS);
    await kept.get("/property/new");
    service.clock.set(START + 8 * HOUR_MS + 1);
    await pruneExpired(service);
    const rows = await database.read.selectFrom("session").select("seen_at").execute();
    assert.deepEqual(
      rows.map((row) => row.seen_at),
      [START + HOUR_MS],
    );
  });

  test("deletes expired messages and nights", async () => {
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
    await runUntil(service, START + 29 * DAY_MS);
    await pruneExpired(service);
    assert.deepEqual(await left(), [1, 3]);
    await runUntil(service, START + 500 * DAY_MS);
    await pruneExpired(service);
    assert.deepEqual(await left(), [0, undefined]);
  });
});

eachEngine("housekeeping with two processes", (open, makePlace) => {
  test("housekeeping runs in only one process each hour", async () => {
    const place = await makePlace();
    const databases = [await open(place), await open(place)];
    await using service = await startApp({ database: databases[0]! });
    for (let hour = 0; hour < 3; hour++) {
      service.clock.set(START + hour * HOUR_MS);
      const cleaned = await Promise.all(databases.map((database) => cleanIfDue({ ...service, log: service.app.log, database })));
      assert.deepEqual(cleaned.toSorted(), [false, true]);
    }
  });
});

test("runs one housekeeping pass at a time, and ends it after the current step when stopped", async (t) => {
  await using service = await startWithOld();
  const [disk, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [started, ended] = [0, 0];
  const slow: Database["commit"] = async (batch) => {
    started++;
    first.resolve();
    await disk.promise;
    ended++;
    return service.database.commit(batch);
  };
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const stop = startHousekeeping({ ...service, database: { ...service.database, commit: slow }, log: service.app.log });
  t.mock.timers.tick(59_999);
  await waitBriefly();
  assert.equal(started, 0, "not while the service starts");
  t.mock.timers.tick(1);
  await first.promise;
  t.mock.timers.tick(3 * HOUR_MS);
  await waitBriefly();
  assert.equal(started, 1);
  const stopped = stop();
  disk.resolve();
  await stopped;
  assert.equal(ended, started);
  assert.equal((await service.database.read.selectFrom("message").select("id").execute()).length, 1, "later steps were not run");
  assert.deepEqual(await allMessages(service.errors), [], "stopping is not an error");
});

test("logs a failed housekeeping run and tries again", async (t) => {
  await using service = await startWithOld();
  const recorded: unknown[][] = [];
  const log = Object.assign(Object.create(service.app.log), { error: (...words: unknown[]) => void recorded.push(words) });
  const broken: Database["commit"] = () => Promise.reject(new Error("disk full"));
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const stop = startHousekeeping({ ...service, database: { ...service.database, commit: broken }, log });
  for (let hour = 0; hour < 2; hour++) {
    service.clock.set(service.clock.now() + HOUR_MS);
    t.mock.timers.tick(hour === 0 ? 60_000 : HOUR_MS - 60_000);
    await waitBriefly();
  }
  await stop();
  assert.deepEqual(recorded, [
    [new Error("disk full"), "housekeeping failed"],
    [new Error("disk full"), "housekeeping failed"],
  ]);
  assert.deepEqual(await allMessages(service.errors), ["disk full", "disk full"]);
});

/** Starts an app whose message log contains an expired message. */
async function startWithOld(): Promise<TestApp> {
  const service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
  await runUntil(service, START + 500 * DAY_MS);
  return service;
}

async function waitBriefly(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
