/** Pruning must not delete data too early if the clock is ahead or after a long downtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkClock, pruneExpired } from "../src/cli/housekeeping.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, postMessage, textOf, TODAY } from "./support/hotel.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THREE_YEARS_AHEAD = START + 3 * 365 * DAY_MS;
const settings = { KEEP_LOG_DAYS: "30", KEEP_NIGHTS_DAYS: "60", KEEP_ERRORS_DAYS: "30" };

const ALL = { bodies: 1, undos: 1, nights: 1, errors: 1, groups: 1, sessions: 1 };

eachEngine("pruning", (open, makePlace) => {
  test("pruning deletes nothing if the clock is three years ahead at startup", async () => {
    const place = await makePlace();
    const before = await startWithData(await open(place));
    await before.close();
    await using service = await startApp({ database: await open(place), settings, now: THREE_YEARS_AHEAD });
    await prune(service);
    assert.deepEqual(await countKept(service), ALL);
    await service.inject("/an-error-of-today");
    await runDays(service, 1);
    assert.deepEqual(await countKept(service), { ...ALL, sessions: 0 }, "a session ends after hours");
  });

  test("pruning deletes nothing if the clock of one of several processes jumps ahead", async () => {
    const place = await makePlace();
    await using service = await startWithData(await open(place));
    await using other = await startApp({ database: await open(place), settings, now: THREE_YEARS_AHEAD });
    for (const one of [other, service, other, service]) await prune(one);
    service.clock.set(START + HOUR_MS);
    for (const one of [service, other]) await prune(one);
    assert.deepEqual(await countKept(service), ALL);
  });

  test("pruning deletes nothing if the clock jumps ahead before the first check", async () => {
    await using service = await startWithData(await open());
    service.clock.set(THREE_YEARS_AHEAD);
    await pruneExpired(service);
    await service.errors.prune();
    assert.deepEqual(await countKept(service), ALL);
  });

  test("after an upgrade, pruning starts from the time of the newest log entry", async () => {
    const database = await open();
    await using service = await startWithData(database);
    await database.write.deleteFrom("pruning_time").execute();
    service.clock.set(THREE_YEARS_AHEAD);
    await prune(service);
    await prune(service);
    assert.deepEqual(await countKept(service), ALL);
  });

  test("after weeks of downtime, pruning catches up at a rate of two days per day", async () => {
    await using service = await startWithData(await open());
    service.clock.set(START + 40 * DAY_MS);
    await prune(service);
    assert.deepEqual(await countKept(service), ALL);
    await runDays(service, 15);
    assert.deepEqual(await countKept(service), { ...ALL, sessions: 0 }, "30 days later");
    await runDays(service, 1);
    assert.deepEqual(await countKept(service), { bodies: 0, undos: 0, nights: 1, errors: 0, groups: 0, sessions: 0 });
    await runDays(service, 22);
    assert.match(textOf(await service.inject("/")), /Pruning is 2 days behind the clock/);
    await runDays(service, 1);
    assert.doesNotMatch(textOf(await service.inject("/")), /behind the clock/, "an advance of one day is not a jump");
  });

  test("reports a clock jump in both logs, and on the pages until pruning has caught up", async () => {
    await using service = await startWithData(await open());
    service.clock.set(START + 3 * DAY_MS);
    const pages = async () => (await Promise.all(["/", "/tools"].map((url) => service.inject(url)))).map(textOf);
    for (const page of await pages()) assert.match(page, /Pruning is 3 days behind the clock\. /);
    const logged = await prune(service);
    assert.match(logged.join(), /^The clock jumped from 2026-11-20T09:00:00Z to 2026-11-23T09:00:00Z\b[^]*$/);
    assert.deepEqual(await prune(service), [], "once");
    const { body } = await service.inject("/tools/errors");
    assert.match(body, /ClockJumpError[^]*The clock jumped from 2026-11-20T09:00:00Z to 2026-11-23T09:00:00Z/);
    assert.equal((await service.inject("/?format=json")).json<{ pruningBehindDays: number }>().pruningBehindDays, 3);
    await runDays(service, 3);
    for (const page of await pages()) assert.doesNotMatch(page, /behind the clock/);
  });
});

/** Starts an app with one row of each kind of data that is pruned by age. */
async function startWithData(database: TestApp["database"]): Promise<TestApp> {
  const service = await startApp({ database, settings });
  await makeHotel(service);
  await database.write.deleteFrom("session").execute();
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
  await service.inject("/an-error");
  await service.errors.flush();
  await service.visitor().get("/property/new");
  await prune(service);
  return service;
}

/** Runs all background work and returns the error lines of the process log. */
async function prune(service: TestApp): Promise<string[]> {
  const logged: string[] = [];
  const log = { error: ({ err }: { err: Error }) => void logged.push(err.message) };
  await checkClock({ ...service, log });
  await pruneExpired(service);
  await service.errors.prune();
  return logged;
}

async function runDays(service: TestApp, days: number): Promise<void> {
  for (let half = 0; half < 2 * days; half++) {
    service.clock.set(service.clock.now() + DAY_MS / 2);
    await prune(service);
  }
}

async function countKept({ database: { read } }: TestApp) {
  const [bodies, undos, nights, errors, groups, sessions] = await Promise.all([
    read.selectFrom("message_body").select("message").execute(),
    read.selectFrom("night_undo").select("message").execute(),
    read.selectFrom("inventory_page").select("span").execute(),
    read.selectFrom("error_entry").select("id").where("at", "=", START).execute(),
    read.selectFrom("error_group").select("id").where("first_at", "=", START).execute(),
    read.selectFrom("session").select("id_hash").where("seen_at", "=", START).execute(),
  ]);
  const lists = { bodies, undos, nights, errors, groups, sessions };
  return Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
}
