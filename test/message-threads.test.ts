import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PLAIN_CATEGORY, PLAIN_PROPERTY } from "../src/cli/seed/records.ts";
import { fixedClock } from "../src/clock.ts";
import { handleMessage } from "../src/modules/channel/handle.ts";
import { MessageThreads } from "../src/modules/channel/message-threads.ts";
import { messages } from "../src/modules/channel/messages/index.ts";
import { ChannelTraffic } from "../src/modules/channel/traffic.ts";
import { withSortName } from "../src/records/sort-name.ts";
import { ENGINES, type Engine, openFresh } from "./support/databases.ts";
import { serve } from "./support/process.ts";

const DAYS = 365;
const CATEGORIES = Array.from({ length: 10 }, (_, index) => `C${index}`);
const DAY_MS = 86_400_000;
const TOMORROW = Date.now() + DAY_MS;

const dayAt = (index: number) => new Date(TOMORROW + index * DAY_MS).toISOString().slice(0, 10);
const line = (category: string, day: string, count: number) =>
  `<Inventory><StatusApplicationControl Start="${day}" End="${day}" InvTypeCode="${category}"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
const messageOf = (lines: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="H1">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const small = (count: number) => messageOf(line("C0", dayAt(0), count));

/** Over 256 kB, so a thread handles the message. */
function large(count: number, more = ""): string {
  const days = Array.from({ length: DAYS }, (_, index) => dayAt(index));
  return messageOf(CATEGORIES.flatMap((category) => days.map((day) => line(category, day, count))).join("\n") + more);
}

function largeJson(availability: number): string {
  const dates = Array.from({ length: DAYS }, (_, index) => dayAt(index));
  const of = (category: string) => dates.map((date) => ({ property_id: "H1", room_type_id: category, date, availability }));
  return JSON.stringify({ values: CATEGORIES.flatMap(of) });
}

for (const engine of ENGINES) {
  describe(`message threads on ${engine}`, () => {
    let service: TestService;
    let origin: string;
    before(async () => {
      service = await start(engine);
      ({ origin } = service);
    });
    after(() => service.stop());

    test("stores and logs large messages, and responds in their dialect", async () => {
      const { status, text } = await send(origin, large(4));
      assert.match(text, /<OTA_HotelInvCountNotifRS [^>]*>.*<Success\/>/);
      assert.equal(status, 200);
      assert.deepEqual(await counts(origin, ["C0", "C9"], [0, DAYS - 1]), [4, 4, 4, 4]);
      const refused = await send(origin, large(5, line("NOWHERE", dayAt(0), 1)));
      assert.match(refused.text, /<Error [^>]*Code="402"[^>]*>[^<]*NOWHERE/);
      assert.deepEqual(await counts(origin, ["C0"], [0]), [4]);
      const json = await send(origin, largeJson(6), "application/json");
      assert.deepEqual([json.status, JSON.parse(json.text).meta], [200, { warnings: [] }]);
      assert.deepEqual(await counts(origin, ["C0", "C9"], [0, DAYS - 1]), [6, 6, 6, 6]);
      const log = (await (await fetch(`${origin}/dev/logs?format=json`)).json()) as { messages: { outcome: string }[] };
      assert.deepEqual(
        log.messages.map(({ outcome }) => outcome),
        ["ok", "refused", "ok"],
      );
    });

    test("applies large and small messages in order, each one before its response", async () => {
      for (const [body, expected] of [
        [large(1), 1],
        [small(2), 2],
        [large(3), 3],
      ] as const) {
        assert.match((await send(origin, body)).text, /<Success\/>/);
        assert.deepEqual(await counts(origin, ["C0"], [0]), [expected]);
      }
    });

    test("applies a large message and concurrent small messages each as a whole", async () => {
      for (let round = 1; round <= 2; round++) {
        const sent = round % 2 === 0 ? [large(10 + round), small(20 + round)] : [small(20 + round), large(10 + round)];
        const answers = await Promise.all([...sent, small(20 + round)].map((body) => send(origin, body)));
        for (const { text } of answers) assert.match(text, /<Success\/>/);
        const [first, second] = await counts(origin, ["C0"], [0, 1]);
        assert.ok(first === 10 + round || first === 20 + round, `${first}`);
        assert.equal(second, 10 + round);
      }
    });
  });
}

test("serves pages while it processes a large message", async () => {
  const { origin, stop } = await start("SQLite");
  let isAnswered = false;
  const answer = send(origin, large(7)).finally(() => (isAnswered = true));
  let pages = 0;
  while (!isAnswered) {
    assert.equal((await fetch(`${origin}/property`)).status, 200);
    pages++;
  }
  assert.match((await answer).text, /<Success\/>/);
  assert.ok(pages > 1, `${pages} pages`);
  await stop();
});

test("returns 503 if a thread crashes, then continues", async () => {
  const { database, remove } = await openFresh("SQLite");
  const failures: number[] = [];
  const threads = new MessageThreads({ databaseUrl: "postgres://127.0.0.1:1/nothing-listens-there", dataDir: "" }, 1);
  const deps = {
    ...{ database, clock: fixedClock(TOMORROW), messages, traffic: new ChannelTraffic({ threads }) },
    recordError: async (_error: unknown, status: number) => void failures.push(status),
  };
  const post = (body: string) =>
    handleMessage(deps, { headers: {}, body: Buffer.from(body), who: { state: "open" }, remote: undefined, via: "channel" });
  const { status, headers, body } = await post(large(1));
  assert.deepEqual([status, headers["retry-after"], failures], [503, "30", [503]]);
  assert.match(Buffer.from(body).toString(), /<Error [^>]*Code="187"/);
  assert.equal((await post(small(1))).status, 200, "small messages don't use a thread");
  await threads.close();
  await remove();
});

type TestService = { origin: string; stop(): Promise<void> };

async function start(engine: Engine): Promise<TestService> {
  const { database, place, remove } = await openFresh(engine);
  const now = Date.now();
  await database.write
    .insertInto("property")
    .values(withSortName({ ...PLAIN_PROPERTY, code: "H1", name: "H1", created_at: now, updated_at: now }))
    .execute();
  for (const code of CATEGORIES) {
    const row = withSortName({ ...PLAIN_CATEGORY, property: "H1", code, name: code, rooms: 99, created_at: now, updated_at: now });
    await database.write.insertInto("category").values(row).execute();
  }
  const service = await serve({ DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) });
  const stop = async () => {
    await service.stop();
    await remove();
  };
  return { origin: service.origin, stop };
}

async function send(origin: string, body: string, type = "application/xml"): Promise<{ status: number; text: string }> {
  const response = await fetch(`${origin}/channel`, { method: "POST", headers: { "content-type": type }, body });
  return { status: response.status, text: await response.text() };
}

type Grid = { categories: { code: string; nights: { night: string; available?: number }[] }[] };

async function counts(origin: string, categories: readonly string[], days: readonly number[]): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (const category of categories) {
    for (const day of days.map(dayAt)) {
      const grid = (await (await fetch(`${origin}/inventories?property=H1&from=${day}&days=7&format=json`)).json()) as Grid;
      found.push(grid.categories.find(({ code }) => code === category)?.nights.find(({ night }) => night === day)?.available);
    }
  }
  return found;
}
