import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, textOf, TODAY } from "../../../../test/support/hotel.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import { pruneJournal } from "../../../journal/prune.ts";

const LAST = "2027-09-01";
const counts = (count: number) => countMessage({ control: `Start="${TODAY}" End="${LAST}" InvTypeCode="DBL"`, counts: [[2, count]] });

eachEngine("an expired message", (open) => {
  test("an expired message keeps its page and is still named as the source of its nights", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, counts(3));
    await postXml(service, "<Unknown/>");
    await pruneJournal(service.database, { now: START + 100 * DAY_MS, keepLogDays: 90, keepNightsDays: 400 });
    const page = await service.inject("/dev/logs/1");
    assert.equal(page.statusCode, 200);
    assert.match(
      textOf(page),
      /Message #1 .*This message expired and was deleted from the log\. .*Property ALP Sender pms Last night 2027-09-01/,
    );
    assert.deepEqual((await service.inject("/dev/logs/1?format=json")).json(), {
      ...{ id: 1, receivedAt: new Date(START).toISOString(), property: "ALP", sender: "pms", lastNight: LAST, expired: true },
    });
    assert.match(
      textOf(await service.inject("/dev/logs/1?body=request")),
      /Message 1 expired, so its request and response are no longer available/,
    );
    const visitor = service.visitor();
    await visitor.get("/property/new");
    assert.equal((await visitor.post("/dev/logs/1", { action: "replay" })).statusCode, 404);
    assert.equal((await service.inject("/dev/logs/2")).statusCode, 404);
    const night = textOf(await service.inject(`/inventories?property=ALP&category=DBL&from=${TODAY}&night=${TODAY}`));
    assert.match(night, /last sent by message 1 from pms/);
  });

  test("an expired message is still named as the source of a night in a view as of a time before the next message", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, counts(3));
    service.clock.set(START + 80 * DAY_MS);
    await postMessage(service, counts(4));
    await pruneJournal(service.database, { now: START + 100 * DAY_MS, keepLogDays: 90, keepNightsDays: 400 });
    service.clock.set(START + 100 * DAY_MS);
    const night = await service.inject(`/inventories?property=ALP&category=DBL&from=${LAST}&night=${LAST}&asOf=2027-01-01T00:00`);
    assert.match(textOf(night), /last sent by message 1 from pms/);
  });
});
