import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { openDatabase } from "../src/db/open.ts";
import { runStatements } from "../src/db/statements.ts";
import { outboxStatements } from "../src/records/outbox.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine, openFresh } from "./support/databases.ts";
import { NightCopy, readFeed, readFrom } from "./support/feed.ts";
import { availMessage, countMessage, makeHotel, makeProperty, postXml, rateMessage } from "./support/hotel.ts";

const START = Date.UTC(2026, 10, 20);
const dayOf = (offset: number) => new Date(START + offset * 86_400_000).toISOString().slice(0, 10);

type Step = {
  type: "count" | "room" | "closed" | "rate" | "limit" | "allotment";
  category: string;
  first: number;
  length: number;
  value: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom("count", "room", "closed", "rate", "limit", "allotment"),
  category: fc.constantFrom("DBL", "SGL"),
  first: fc.integer({ min: 0, max: 40 }),
  length: fc.integer({ min: 1, max: 9 }),
  value: fc.integer({ min: 0, max: 3 }),
});

function messageOf({ type, category, first, length, value }: Step): string {
  const range = `Start="${dayOf(first)}" End="${dayOf(first + length - 1)}"`;
  const nights = `${range} InvTypeCode="${category}"`;
  const plan = `${nights} RatePlanCode="P${value % 2}"`;
  switch (type) {
    case "count":
      return countMessage({ control: nights, counts: [[2, value]] });
    case "room":
      return countMessage({ control: `${nights} InvCode="10${value}"`, counts: [[2, value % 2]] });
    case "closed":
      return countMessage({ control: `${range} AllInvCode="true"` });
    case "rate":
      return rateMessage({ control: plan, amounts: [`NumberOfGuests="2" AmountAfterTax="${90 + value}"`] });
    case "limit":
      return availMessage({ control: plan, content: `<RestrictionStatus Status="${value === 0 ? "Open" : "Close"}"/>` });
    case "allotment":
      return countMessage({ control: plan, counts: [[2, value]] });
  }
}

async function send(service: TestApp, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    const { body } = await postXml(service, messageOf(one));
    assert.match(body, /<Success\/>/, body);
  }
}

eachEngine("a consumer of snapshot and feed", (open, makePlace) => {
  test("a consumer of snapshot and feed ends up with the same nights as the service while two processes receive messages", async () => {
    const place = await makePlace();
    await using first = await startApp({ database: await open(place) });
    await using second = await startApp({ database: await open(place) });
    await makeHotel(first);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.array(step, { maxLength: 12 }), async (some, others) => {
        const copy = new NightCopy();
        const sending = Promise.all([send(first, some), send(second, others)]);
        let cursor = await copy.load(readFrom(second));
        let isDone = false;
        void sending.finally(() => (isDone = true));
        while (!isDone) {
          cursor = await copy.follow(first, cursor);
          await sleep(1);
        }
        await sending;
        await copy.follow(second, cursor);
        const service = new NightCopy();
        await service.load(readFrom(first));
        assert.deepEqual(copy.sorted(), service.sorted());
        compared += copy.nights.size;
      }),
      { numRuns: 8 },
    );
    assert.ok(compared > 100);
  });
});

test("on PostgreSQL, a reader doesn't skip a change whose transaction commits late", async () => {
  const fresh = await openFresh("PostgreSQL");
  const other = await openDatabase(fresh.place.url, fresh.place.folder);
  await using service = await startApp({ database: fresh.database });
  await makeHotel(service);
  await makeProperty(service, { code: "SLO", name: "Slow" });
  const { cursor } = await readFeed(service);
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = other.edit("SLO", async (db) => {
    await runStatements(db, outboxStatements([{ at: START, property: "SLO", kind: "record" }]));
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  const counts = (value: number) => send(service, [{ type: "count", category: "DBL", first: 0, length: 1, value }]);
  await counts(1);
  const before = await readFeed(service, `after=${cursor}`);
  released.resolve();
  await slow;
  await counts(2);
  const after = await readFeed(service, `after=${before.cursor}`);
  await other.close();
  const properties = ({ changes }: typeof after) => changes.map(({ property }) => property);
  assert.deepEqual([properties(before), properties(after)], [["ALP"], ["SLO", "ALP"]]);
  await fresh.remove();
});
