import assert from "node:assert/strict";
import { test } from "node:test";
import { pruneExpired } from "../src/cli/housekeeping.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, textOf } from "./support/hotel.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ONE_YEAR_AHEAD = START + 365 * DAY_MS;

eachEngine("after the clock is set back", (open) => {
  test("resolved error groups can reopen, and mutes keep their length", async () => {
    await using service = await startApp({ database: await open() });
    service.clock.set(ONE_YEAR_AHEAD);
    await service.inject("/resolved");
    await change(service, { action: "resolve" });
    await service.inject({ method: "POST", url: "/channel", payload: "" });
    await change(service, { action: "mute", for: "day" });
    service.clock.set(START);
    await service.errors.prune();
    service.clock.set(START + HOUR_MS);
    await service.inject("/again");
    const states = async () => {
      const { body } = await service.inject("/tools/errors?view=groups&state=all&format=json");
      return (JSON.parse(body) as { groups: { state: string; why: string; lastAt: string }[] }).groups;
    };
    const [again, muted] = await states();
    assert.deepEqual([again!.state, again!.why, again!.lastAt], ["open", "regressed", new Date(START + HOUR_MS).toISOString()]);
    assert.equal(muted!.state, "muted");
    service.clock.set(START + DAY_MS);
    assert.deepEqual(
      (await states()).map(({ state }) => state),
      ["open", "open"],
    );
  });

  test("sessions with a future time are refused and pruned", async () => {
    const database = await open();
    await using service = await startApp({ database });
    service.clock.set(ONE_YEAR_AHEAD);
    const [made, left] = [service.visitor(), service.visitor()];
    for (const visitor of [made, left]) await visitor.get("/property/new");
    service.clock.set(START);
    assert.equal((await made.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 403, "its age is unknown");
    await pruneExpired(service);
    const rows = await database.read.selectFrom("session").select("seen_at").execute();
    assert.deepEqual(
      rows.map((row) => row.seen_at),
      [START],
    );
  });

  test("a session used while the clock was ahead stays valid and expires eight hours after its last use", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    await visitor.get("/property/new");
    service.clock.set(START + HOUR_MS * 7);
    await visitor.get("/property");
    service.clock.set(START + 60_000);
    await visitor.get("/property");
    service.clock.set(START + 60_000 + HOUR_MS * 8 + 1);
    assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 403);
  });

  test("the home page counts the last day and lists a silent property", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    service.clock.set(ONE_YEAR_AHEAD);
    const counts = countMessage({ control: 'Start="2027-11-25" End="2027-11-25" InvTypeCode="DBL"', counts: [[2, 1]] });
    await postMessage(service, counts);
    await postXml(service, counts.replace('"ALP"', '"NONE"'));
    await service.inject("/nowhere");
    await service.errors.flush();
    assert.match(textOf(await service.inject("/")), /Errors, 24 hours 1 .*1 refused of 1 message NONE/);
    service.clock.set(START);
    await pruneExpired(service);
    const home = textOf(await service.inject("/"));
    assert.match(home, /Errors, 24 hours 0/);
    assert.doesNotMatch(home, /1 refused of 1 message NONE/);
    service.clock.set(START + 2 * DAY_MS);
    assert.match(textOf(await service.inject("/")), /1 property silent for over a day Alpenblick ALP/);
  });

  test("log filters, deletions and night histories include messages received after the change", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const counts = countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] });
    service.clock.set(ONE_YEAR_AHEAD);
    await postMessage(service, counts.replace('"DBL"', '"SGL"'), "meanwhile");
    service.clock.set(START);
    await postMessage(service, counts, "later");
    service.clock.set(START + 1_000);
    const log = textOf(await service.inject("/dev/logs?to=2026-11-20"));
    assert.match(log, /later/);
    assert.doesNotMatch(log, /meanwhile/);
    const removal = (await service.inject("/dev/logs?view=removal&days=0&format=json")).json<Record<string, unknown>>();
    assert.deepEqual([removal.gone, removal.emptied], [0, 1]);
    const asOf = new Date(START + 1_000).toISOString();
    const night = textOf(await service.inject(`/inventories?property=ALP&category=DBL&night=2026-11-25&asOf=${asOf}`));
    assert.match(night, /Available 1 message 2 from later,/);
  });
});

async function change(service: TestApp, fields: Record<string, string>): Promise<void> {
  const visitor = service.visitor();
  const { body } = await visitor.get("/tools/errors?view=groups");
  const group = [...body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
  assert.equal((await visitor.post("/tools/errors?view=groups", { ...fields, group })).statusCode, 303);
}
