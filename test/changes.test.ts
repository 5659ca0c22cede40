import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { availMessage, countMessage, editRecord, makeHotel, makeProperty, postXml, rateMessage } from "./support/hotel.ts";

type Change = {
  cursor: string;
  time: string;
  property: string;
  kind: string;
  category?: string;
  room?: string;
  plan?: string;
  nights?: { first: string; last: string; values?: Record<string, unknown> }[];
  message?: number;
};
type Answer = { changes: Change[]; cursor: string; more: boolean };

async function read(service: TestApp, query = ""): Promise<Answer> {
  const answer = await service.inject(`/changes?${query}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<Answer>();
}

const control = (first: string, last: string, more = "") => `Start="${first}" End="${last}" InvTypeCode="DBL"${more}`;
const counts = (first: string, last: string, count: number) => countMessage({ control: control(first, last), counts: [[2, count]] });

/** Sends a message and returns its id. */
async function post(service: TestApp, xml: string): Promise<number> {
  const answer = await postXml(service, xml);
  assert.match(answer.body, /<Success\/>/, answer.body);
  return Number(answer.headers["x-message-id"]);
}

function shape({ cursor: _cursor, time: _time, ...change }: Change): Omit<Change, "cursor" | "time"> {
  return change;
}

eachEngine("the change feed", (open) => {
  test("lists changes of nights and records in order, each once", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { changes: records, cursor } = await read(service);
    assert.deepEqual(records.map(shape), [
      { property: "ALP", kind: "record" },
      { property: "ALP", kind: "record", category: "DBL" },
      { property: "ALP", kind: "record", category: "SGL" },
    ]);
    const week = await post(service, counts("2026-11-20", "2026-11-26", 3));
    const days = await post(service, counts("2026-11-22", "2026-11-23", 4));
    await post(service, counts("2026-11-22", "2026-11-23", 4));
    const { changes, ...rest } = await read(service, `after=${cursor}`);
    assert.deepEqual(changes.map(shape), [
      { property: "ALP", kind: "inventory", category: "DBL", nights: [{ first: "2026-11-20", last: "2026-11-26" }], message: week },
      { property: "ALP", kind: "inventory", category: "DBL", nights: [{ first: "2026-11-22", last: "2026-11-23" }], message: days },
    ]);
    assert.equal(rest.more, false);
    assert.deepEqual((await read(service, `after=${rest.cursor}`)).changes, []);
    assert.deepEqual((await read(service, `after=${changes[0]!.cursor}`)).changes, [changes[1]]);
  });

  test("reports rates, restrictions, allotments, rooms and rate plans", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { cursor } = await read(service);
    const bar = control("2026-11-20", "2026-11-21", ' RatePlanCode="BAR"');
    const amounts = await post(service, rateMessage({ control: bar, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    const closed = await post(service, availMessage({ control: bar, content: '<RestrictionStatus Status="Close"/>' }));
    const allotment = await post(service, countMessage({ control: bar, counts: [[2, 4]] }));
    const room = await post(service, countMessage({ control: control("2026-11-20", "2026-11-20", ' InvCode="101"'), counts: [[2, 1]] }));
    await editRecord(service, "/property/ALP/edit", { name: "Alpenglow", timeZone: "Europe/Rome" });
    const nights = [{ first: "2026-11-20", last: "2026-11-21" }];
    const night = [{ first: "2026-11-20", last: "2026-11-20" }];
    const { changes } = await read(service, `after=${cursor}`);
    assert.deepEqual(changes.map(shape), [
      { property: "ALP", kind: "record", plan: "BAR", message: amounts },
      { property: "ALP", kind: "rates", category: "DBL", plan: "BAR", nights, message: amounts },
      { property: "ALP", kind: "rates", category: "DBL", plan: "BAR", nights, message: closed },
      { property: "ALP", kind: "inventory", category: "DBL", plan: "BAR", nights, message: allotment },
      { property: "ALP", kind: "inventory", category: "DBL", room: "101", nights: night, message: room },
      { property: "ALP", kind: "inventory", category: "DBL", nights: night, message: room },
      { property: "ALP", kind: "record" },
    ]);
    const kinds = async (query: string) => (await read(service, `after=${cursor}&${query}`)).changes.map(({ kind }) => kind);
    assert.deepEqual(await kinds("kind=rates"), ["rates", "rates"]);
    assert.deepEqual(await kinds("kind=record&kind=inventory"), ["record", "inventory", "inventory", "inventory", "record"]);
    const steps: Change[] = [];
    for (let after = cursor, more = true; more;) {
      const page = await read(service, `after=${after}&limit=1`);
      steps.push(...page.changes);
      ({ cursor: after, more } = page);
    }
    assert.deepEqual(steps, changes);
    const stranger = await postXml(service, counts("2026-11-20", "2026-11-20", 1).replace("DBL", "NONE"));
    assert.doesNotMatch(stranger.body, /<Success/);
    assert.deepEqual((await read(service, `after=${changes.at(-1)!.cursor}`)).changes, [], "a refused message changes nothing");
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const { changes: others, cursor: end } = await read(service, `after=${cursor}&property=SEA`);
    assert.deepEqual(others.map(shape), [{ property: "SEA", kind: "record" }]);
    assert.deepEqual((await read(service, `after=${end}`)).changes, []);
  });
});
