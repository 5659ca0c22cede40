import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DAY_MS } from "../src/calendar/night.ts";
import { pruneJournal } from "../src/journal/prune.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { type Change, parseLines, readFeed, type Row } from "./support/feed.ts";
import { availMessage, countMessage, editRecord, makeHotel, makeProperty, postXml, rateMessage } from "./support/hotel.ts";
import { ADMIN_PASSWORD, basic, postForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

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

eachEngine("the change feed", (open, makePlace) => {
  test("the change feed lists changes to nights and records in order, each exactly once", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { changes: records, cursor } = await readFeed(service);
    assert.deepEqual(records.map(shape), [
      { property: "ALP", kind: "record" },
      { property: "ALP", kind: "record", category: "DBL" },
      { property: "ALP", kind: "record", category: "SGL" },
    ]);
    const week = await post(service, counts("2026-11-20", "2026-11-26", 3));
    const days = await post(service, counts("2026-11-22", "2026-11-23", 4));
    await post(service, counts("2026-11-22", "2026-11-23", 4));
    const { changes, ...rest } = await readFeed(service, `after=${cursor}`);
    assert.deepEqual(changes.map(shape), [
      { property: "ALP", kind: "inventory", category: "DBL", nights: [{ first: "2026-11-20", last: "2026-11-26" }], message: week },
      { property: "ALP", kind: "inventory", category: "DBL", nights: [{ first: "2026-11-22", last: "2026-11-23" }], message: days },
    ]);
    assert.equal(rest.more, false);
    assert.deepEqual((await readFeed(service, `after=${rest.cursor}`)).changes, []);
    assert.deepEqual((await readFeed(service, `after=${changes[0]!.cursor}`)).changes, [changes[1]]);
  });

  test("the change feed reports changes to rates, restrictions, allotments, rooms and rate plans", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { cursor } = await readFeed(service);
    const bar = control("2026-11-20", "2026-11-21", ' RatePlanCode="BAR"');
    const amounts = await post(service, rateMessage({ control: bar, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    const closed = await post(service, availMessage({ control: bar, content: '<RestrictionStatus Status="Close"/>' }));
    const allotment = await post(service, countMessage({ control: bar, counts: [[2, 4]] }));
    const room = await post(service, countMessage({ control: control("2026-11-20", "2026-11-20", ' InvCode="101"'), counts: [[2, 1]] }));
    await editRecord(service, "/property/ALP/edit", { name: "Alpenglow", timeZone: "Europe/Rome" });
    const nights = [{ first: "2026-11-20", last: "2026-11-21" }];
    const night = [{ first: "2026-11-20", last: "2026-11-20" }];
    const { changes } = await readFeed(service, `after=${cursor}`);
    assert.deepEqual(changes.map(shape), [
      { property: "ALP", kind: "record", plan: "BAR", message: amounts },
      { property: "ALP", kind: "rates", category: "DBL", plan: "BAR", nights, message: amounts },
      { property: "ALP", kind: "rates", category: "DBL", plan: "BAR", nights, message: closed },
      { property: "ALP", kind: "inventory", category: "DBL", plan: "BAR", nights, message: allotment },
      { property: "ALP", kind: "inventory", category: "DBL", room: "101", nights: night, message: room },
      { property: "ALP", kind: "inventory", category: "DBL", nights: night, message: room },
      { property: "ALP", kind: "record" },
    ]);
    const kinds = async (query: string) => (await readFeed(service, `after=${cursor}&${query}`)).changes.map(({ kind }) => kind);
    assert.deepEqual(await kinds("kind=rates"), ["rates", "rates"]);
    assert.deepEqual(await kinds("kind=record&kind=inventory"), ["record", "inventory", "inventory", "inventory", "record"]);
    const steps: Change[] = [];
    for (let after = cursor, more = true; more;) {
      const page = await readFeed(service, `after=${after}&limit=1`);
      steps.push(...page.changes);
      ({ cursor: after, more } = page);
    }
    assert.deepEqual(steps, changes);
    const refused = await postXml(service, counts("2026-11-20", "2026-11-20", 1).replace("DBL", "NONE"));
    assert.doesNotMatch(refused.body, /<Success/);
    assert.deepEqual((await readFeed(service, `after=${changes.at(-1)!.cursor}`)).changes, [], "a refused message changes nothing");
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const { changes: others, cursor: end } = await readFeed(service, `after=${cursor}&property=SEA`);
    assert.deepEqual(others.map(shape), [{ property: "SEA", kind: "record" }]);
    assert.deepEqual((await readFeed(service, `after=${end}`)).changes, []);
  });

  test("the change feed includes the current values of the nights on request", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { cursor } = await readFeed(service, "limit=3");
    const bar = control("2026-11-20", "2026-11-22", ' RatePlanCode="BAR"');
    await post(service, rateMessage({ control: bar, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    await post(service, counts("2026-11-20", "2026-11-22", 3));
    await post(service, countMessage({ control: 'Start="2026-11-21" End="2026-11-21" AllInvCode="true"' }));
    const { changes } = await readFeed(service, `include=values&kind=inventory&kind=rates&property=ALP&after=${cursor}`);
    const [rates, inventory] = changes;
    assert.deepEqual(rates!.nights, [
      {
        first: "2026-11-20",
        last: "2026-11-22",
        values: { amounts: [{ tax: "after", guests: 2, age: 10, nights: 1, amount: "90.00" }], currency: "EUR" },
      },
    ]);
    assert.deepEqual(inventory!.nights, [
      { first: "2026-11-20", last: "2026-11-20", values: { available: 3 } },
      { first: "2026-11-21", last: "2026-11-21", values: { available: 3, closed: true } },
      { first: "2026-11-22", last: "2026-11-22", values: { available: 3 } },
    ]);
  });

  test("the change feed returns 410 for a cursor whose changes have been deleted or that belongs to another database", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const { cursor: old } = await readFeed(service, "limit=1");
    service.clock.set(START + 100 * DAY_MS);
    await post(service, counts("2027-03-01", "2027-03-01", 3));
    const { cursor: newest } = await readFeed(service);
    await pruneJournal(service.database, { now: START + 101 * DAY_MS, keepLogDays: 90, keepNightsDays: 90 });
    const expired = await service.inject(`/changes?after=${old}`);
    assert.equal(expired.statusCode, 410);
    assert.match(String(expired.headers["content-type"]), /^application\/problem\+json/);
    assert.match(expired.json<{ detail: string }>().detail, /deleted.*\/inventories\?format=ndjson/);
    for (const accept of ["text/event-stream", "application/x-ndjson"])
      assert.equal((await service.inject({ url: `/changes?after=${old}`, headers: { accept } })).statusCode, 410, accept);
    assert.deepEqual(
      (await readFeed(service)).changes.map(({ kind }) => kind),
      ["inventory"],
    );
    assert.deepEqual((await readFeed(service, `after=${newest}`)).changes, []);
    await pruneJournal(service.database, { now: START + 1_000 * DAY_MS, keepLogDays: 90, keepNightsDays: 90 });
    assert.deepEqual((await readFeed(service, `after=${newest}`)).changes, [], "the last position is never reused");
    await using other = await startApp();
    assert.equal((await other.inject(`/changes?after=${newest}`)).statusCode, 410);
  });

  test("the change feed waits for a change, including one made by another process", async () => {
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    await using other = await startApp({ database: await open(place) });
    await makeHotel(service);
    const { cursor } = await readFeed(service);
    const unmatched = readFeed(service, `after=${cursor}&wait=1&property=SEA`);
    const [own, ofKind] = [readFeed(service, `after=${cursor}&wait=30`), readFeed(service, `after=${cursor}&wait=30&kind=rates`)];
    await post(other, counts("2026-11-20", "2026-11-20", 3));
    assert.deepEqual(
      (await own).changes.map(({ kind }) => kind),
      ["inventory"],
    );
    const amounts = {
      control: control("2026-11-20", "2026-11-20", ' RatePlanCode="BAR"'),
      amounts: ['NumberOfGuests="2" AmountAfterTax="90"'],
    };
    await post(other, rateMessage(amounts));
    assert.deepEqual(
      (await ofKind).changes.map(({ kind }) => kind),
      ["rates"],
    );
    const { changes, cursor: next } = await unmatched;
    assert.deepEqual(changes, []);
    assert.deepEqual((await readFeed(service, `after=${next}`)).changes, [], "an empty answer moves the cursor on");
  });

  test("the change feed streams server-sent events that continue after the last one", async () => {
    const place = await makePlace();
    await using listening = await startApp({ database: await open(place) });
    await using service = await startApp({ database: await open(place) });
    await makeHotel(service);
    const origin = await listening.listen();
    const first = await openEvents(origin, {});
    assert.deepEqual(
      (await first.take(3)).map(({ data }) => data.category),
      [undefined, "DBL", "SGL"],
    );
    await post(service, counts("2026-11-20", "2026-11-20", 3));
    const [event] = await first.take(1);
    assert.deepEqual([event!.data.kind, event!.id], ["inventory", event!.data.cursor]);
    await first.close();
    await post(service, counts("2026-11-20", "2026-11-20", 4));
    const second = await openEvents(origin, { "last-event-id": event!.id });
    const [next] = await second.take(1);
    assert.ok(next!.data.message! > event!.data.message!);
    const closing = listening.close();
    assert.deepEqual(await second.take(1), [], "ends with the service");
    listening.app.server.closeAllConnections();
    await closing;
  });

  test("the change feed sends NDJSON that ends with the cursor", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const lines = async (query: string) => {
      const answer = await service.inject({ url: `/changes?${query}`, headers: { accept: "application/x-ndjson" } });
      assert.match(String(answer.headers["content-type"]), /^application\/x-ndjson/);
      return parseLines<Change>(answer.body);
    };
    const { rows, cursor } = await lines("");
    assert.equal(rows.length, 3);
    const start = await lines("limit=2");
    assert.equal(start.rows.length, 2);
    const waiting = lines(`after=${start.cursor}&wait=1`);
    await post(service, counts("2026-11-20", "2026-11-20", 3));
    const { rows: rest } = await waiting;
    assert.deepEqual(
      rest.map(({ kind }) => kind),
      ["record", "inventory"],
    );
    assert.deepEqual((await lines(`after=${cursor}`)).rows, rest.slice(1));
  });
});

type FeedEvent = { id: string; data: Change };

/** Reads server-sent events. `take` returns fewer events if the stream ends. */
async function openEvents(origin: string, headers: Record<string, string>) {
  const response = await fetch(`${origin}/changes`, { headers: { accept: "text/event-stream", ...headers } });
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events: FeedEvent[] = [];
  let text = "";
  const take = async (count: number): Promise<FeedEvent[]> => {
    while (events.length < count) {
      const { value, done } = await reader.read();
      if (done) break;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, id = "", json] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (json !== undefined) events.push({ id, data: JSON.parse(json) as Change });
      }
    }
    return events.splice(0, count);
  };
  return { take, close: () => reader.cancel() };
}

describe("a token", () => {
  const ADMIN = { authorization: `Bearer ${ADMIN_PASSWORD}` };
  const start = async () => {
    const open = await startApp();
    await makeHotel(open);
    await makeProperty(open, { code: "SEA", name: "Seaside" });
    await post(open, counts("2026-11-20", "2026-11-20", 3));
    const service = await startApp({ database: open.database, settings: TWO_ROLES });
    const tokenWith = async (fields: Record<string, string>) => {
      const created = await postForm(service, "/tools/tokens?format=json", { fields: { action: "create", ...fields }, headers: ADMIN });
      return { authorization: `Bearer ${created.json<{ token: string }>().token}` };
    };
    const close = async () => {
      await service.close();
      await open.close();
    };
    return { service, tokenWith, [Symbol.asyncDispose]: close };
  };

  test("the change feed requires the `changes` scope, and shows only the token's properties", async () => {
    await using started = await start();
    const { service, tokenWith } = started;
    const ask = async (headers: Record<string, string>, url = "/changes") => service.inject({ url, headers });
    assert.equal((await ask({})).statusCode, 401);
    const reader = await ask(await tokenWith({ name: "reader", "scope-read": "on" }));
    assert.deepEqual([reader.statusCode, reader.json<object>()], [403, { ...reader.json<object>(), status: 403, title: "Forbidden" }]);
    assert.match(String(reader.headers["content-type"]), /^application\/problem\+json/);
    const all = await tokenWith({ name: "all", "scope-changes": "on" });
    const properties = async (headers: Record<string, string>, query = "") => {
      const { changes } = (await ask(headers, `/changes?${query}`)).json<{ changes: Change[] }>();
      return [...new Set(changes.map(({ property }) => property))];
    };
    assert.deepEqual(await properties(all), ["ALP", "SEA"]);
    assert.deepEqual(await properties(all, "property=SEA"), ["SEA"]);
    const limited = await tokenWith({ name: "limited", "scope-changes": "on", "scope-read": "on", properties: "SEA" });
    assert.deepEqual(await properties(limited), ["SEA"]);
    assert.equal((await ask(limited, "/changes?property=SEA&property=ALP")).statusCode, 403);
    assert.equal((await ask(all, "/inventories?format=ndjson")).statusCode, 403);
    assert.deepEqual(parseLines<Row>((await ask(limited, "/inventories?format=ndjson")).body).rows, []);
    assert.equal((await ask(limited, "/inventories?format=ndjson&property=ALP")).statusCode, 403);
    assert.equal((await ask(limited, "/inventories?format=json&property=SEA&property=ALP")).statusCode, 403);
    assert.deepEqual(await properties(basic(VIEWER_PASSWORD, "vera")), ["ALP", "SEA"], "a viewer reads the feed too");
  });
});

test("the feed returns problem details for invalid parameters", async () => {
  await using service = await startApp();
  const query = "after=%20x&limit=0&wait=90&kind=rooms&include=all&format=xml&propety=ALP";
  const answer = await service.inject(`/changes?${query}`);
  assert.equal(answer.statusCode, 422);
  assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
  const { errors, ...problem } = answer.json<{ errors: Record<string, string> }>();
  assert.deepEqual(problem, { type: "about:blank", title: "Unprocessable Entity", status: 422, detail: "Some parameters are invalid." });
  assert.deepEqual(errors, {
    propety: "Unknown parameter. Use after, limit, wait, property, kind, include, format",
    format: "Choose json, ndjson or events, not “xml”",
    kind: "Choose inventory, rates, record, not “rooms”",
    include: "Choose values, not “all”",
    after: "Enter a cursor exactly as returned by an earlier response or a snapshot",
    limit: "Enter a whole number from 1 to 1000, not “0”",
    wait: "Enter a whole number from 0 to 60, not “90”",
  });
  const head = await service.inject({ method: "HEAD", url: "/changes?wait=30", headers: { accept: "text/event-stream" } });
  assert.equal(head.statusCode, 200);
});

describe("a snapshot", () => {
  test("a snapshot contains the rows of the grids as runs of identical nights, for some or all properties", async () => {
    await using service = await startApp();
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await post(service, counts("2026-11-20", "2027-11-19", 3));
    await post(service, counts("2026-11-22", "2026-11-22", 1));
    const bar = control("2026-11-21", "2026-11-21", ' RatePlanCode="BAR"');
    await post(service, rateMessage({ control: bar, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    await post(service, countMessage({ control: bar, counts: [[2, 4]] }));
    const snapshot = async (url: string) => parseLines<Row>((await service.inject(url)).body);
    const { rows, cursor } = await snapshot("/inventories?format=ndjson");
    const head = { property: "ALP", kind: "inventory", category: "DBL" };
    assert.deepEqual(rows, [
      {
        ...head,
        nights: [
          { first: "2026-11-20", last: "2026-11-21", values: { available: 3 } },
          { first: "2026-11-22", last: "2026-11-22", values: { available: 1 } },
          { first: "2026-11-23", last: "2027-11-19", values: { available: 3 } },
        ],
      },
      { ...head, plan: "BAR", nights: [{ first: "2026-11-21", last: "2026-11-21", values: { allotment: 4 } }] },
    ]);
    assert.deepEqual((await readFeed(service, `after=${cursor}`)).changes, []);
    const rates = await snapshot("/rates?format=ndjson&property=ALP");
    assert.deepEqual(
      rates.rows.map(({ plan, nights }) => [plan, nights?.length]),
      [["BAR", 1]],
    );
    const range = "from=2026-11-22&to=2026-11-23";
    const json = (await service.inject(`/inventories?format=json&${range}&property=ALP&property=SEA`)).json<{
      rows: Row[];
      cursor: string;
    }>();
    assert.equal(json.cursor, cursor);
    assert.deepEqual(
      json.rows.map(({ nights }) => nights!.map(({ first, last }) => [first, last])),
      [
        [
          ["2026-11-22", "2026-11-22"],
          ["2026-11-23", "2026-11-23"],
        ],
      ],
    );
    assert.deepEqual((await service.inject("/rates?format=json&to=2026-11-20")).json<object>(), { rows: [], cursor });
    const grid = (await service.inject("/inventories?format=json&property=ALP")).json<object>();
    assert.deepEqual(Object.keys(grid), ["property", "from", "days", "categories"], "JSON of one property is still a grid");
  });

  test("refuses unsupported ranges and filters", async () => {
    await using service = await startApp();
    await makeHotel(service);
    const errors = async (query: string) => (await service.inject(`/inventories?format=ndjson&${query}`)).json<{ errors: object }>().errors;
    assert.deepEqual(await errors("from=2026-12-02&to=2026-12-01"), { to: "Enter a date on or after the first night" });
    assert.deepEqual(await errors("from=2010-01-01"), { to: "Enter the last night of a range of up to 1500 nights" });
    assert.deepEqual(await errors("days=7"), { days: "Not available in a snapshot; use property, from and to" });
    assert.equal((await service.inject("/inventories?format=ndjson&property=NONE")).statusCode, 404);
  });
});
