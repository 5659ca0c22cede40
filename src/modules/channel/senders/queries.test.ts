import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type Channel, day, NOON, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import type { Database } from "../../../db/database.ts";
import { findChecklist } from "./checklist-store.ts";
import { setCode } from "./code-store.ts";
import { listHealth } from "./health-store.ts";
import { listCauses, listUnknownCodes } from "./refusal-store.ts";

const HOUR = 3_600_000;
const OTA = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

type Line = { hotel: string; category?: string; from?: number; to?: number; attributes?: string };

const counts = ({ hotel, category = "DBL", from = 1, to = from, attributes = "" }: Line, root = "") =>
  `<OTA_HotelInvCountNotifRQ ${OTA}>${root}<Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(from)}" End="${day(to)}" InvTypeCode="${category}"${attributes}/><InvCounts><InvCount CountType="2" Count="3"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
const rates = (hotel: string, plan: string) =>
  `<OTA_HotelRateAmountNotifRQ ${OTA}><RateAmountMessages HotelCode="${hotel}"><RateAmountMessage><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL" RatePlanCode="${plan}"/><Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;

async function openAs(
  database: Database,
  name: string,
  hotels?: readonly string[],
): Promise<{ channel: Channel; send(body: string): Promise<number> }> {
  const channel = openChannel(database);
  const secret = await addSender(database, { name, hotels });
  const send = async (body: string) => {
    const { receipt } = await channel.post({ body, headers: { authorization: `Bearer ${secret}` } });
    return receipt!.id;
  };
  return { channel, send };
}

/** Adds log entries a minute apart, the newest at noon. Every 50th message is refused. */
async function fillLog(database: Database, { senders, messages }: { senders: readonly string[]; messages: number }): Promise<void> {
  const first = await database.reserve(messages);
  const columns = sql`id, received_at, property, sender, via, transport, root, outcome, status, micros, request_bytes, answer_bytes, lines, changed_nights, dry_run, body_hash, summary, pruned`;
  for (let from = 0; from < messages; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, messages - from) }, (_, index) => {
      const at = from + index;
      const sender = senders[at % senders.length]!;
      const outcome = at % 50 === 49 ? "refused" : "ok";
      const receivedAt = NOON - (messages - at) * 800;
      return sql`(${first + at}, ${receivedAt}, 'ALP', ${sender}, 'channel', 'raw', 'OTA_HotelInvCountNotifRQ', ${outcome}, 200, 1000, 500, 300, 1, 1, 0, 1, 'Invalid value', 0)`;
    });
    await sql`insert into message (${columns}) values ${sql.join(rows)}`.execute(database.write);
  }
}

eachEngine("Queries about senders", (open) => {
  test("returns every sender's last accepted message, last refused message and hourly counts", async () => {
    const database = await open();
    const { channel, send } = await openAs(database, "pms");
    await addSender(database, { name: "silent" });
    const { code } = await channel.hotel();
    channel.clock.set(NOON - 25 * HOUR);
    await send(counts({ hotel: code }));
    channel.clock.set(NOON - 23.5 * HOUR);
    const accepted = await send(counts({ hotel: code }));
    channel.clock.set(NOON - 1);
    await send(counts({ hotel: code, category: "X" }));
    const refused = await send(counts({ hotel: code, category: "Y" }));
    channel.clock.set(NOON);
    const health = await listHealth(database, NOON);
    const { lastAccepted, lastRefused, hours, acceptedShare } = health.get("pms")!;
    assert.deepEqual([lastAccepted?.id, lastAccepted?.received_at], [accepted, NOON - 23.5 * HOUR]);
    assert.deepEqual([lastRefused?.id, lastRefused?.outcome], [refused, "refused"]);
    assert.match(lastRefused!.summary, /Room type code not found for this hotel \(Y\)/);
    assert.equal(acceptedShare, 1 / 3);
    assert.deepEqual([hours.length, hours[0], hours[23]], [24, { accepted: 1, refused: 0 }, { accepted: 0, refused: 2 }]);
    const silent = health.get("silent");
    assert.deepEqual([silent?.lastAccepted, silent?.lastRefused, silent?.acceptedShare], [undefined, undefined, undefined]);
  });

  test("groups refusals by cause, ignoring the values that were sent", async () => {
    const database = await open();
    const { channel, send } = await openAs(database, "pms");
    const { code } = await channel.hotel();
    for (const category of ["A1", "B22", "B22"]) await send(counts({ hotel: code, category }));
    await send(counts({ hotel: code, attributes: ' Mon="maybe"' }));
    const last = await send(counts({ hotel: code, attributes: ' Tue="perhaps"' }));
    await send(counts({ hotel: "NOWHERE" }));
    const { receipt } = await channel.post({
      body: counts({ hotel: code }, `<POS><Source><RequestorID ID="pms" MessagePassword="guess"/></Source></POS>`),
    });
    const causes = await listCauses(database, { sender: "pms", now: NOON });
    assert.deepEqual(
      causes.map(({ code: error, text, count }) => [error, text, count]),
      [
        [402, "Room type code not found for this hotel (…)", 3],
        [497, "Invalid Username and/or Password: wrong secret", 1],
        [392, "Hotel not found for HotelCode=…", 1],
        [320, "Invalid value … for Tue", 1],
        [320, "Invalid value … for Mon", 1],
      ],
    );
    const flag = causes.find(({ text }) => text.endsWith("Tue"));
    assert.deepEqual([flag?.message, flag?.example.includes("perhaps")], [last, true]);
    assert.ok(causes.some(({ message }) => message === receipt!.id));
    assert.deepEqual(await listCauses(database, { sender: "pms", now: NOON + 31 * 24 * HOUR }), []);
  });

  test("lists unknown codes until they exist or are mapped", async () => {
    const database = await open();
    const { channel, send } = await openAs(database, "pms", ["ALP", "GONE"]);
    await channel.hotel({ code: "ALP", known_plans_only: 1 });
    for (const category of ["A1", "A1", "B2"]) await send(counts({ hotel: "ALP", category }));
    await send(rates("ALP", "P1"));
    await send(counts({ hotel: "4711" }));
    const last = await send(counts({ hotel: "GONE" }));
    const query = { sender: "pms", now: NOON };
    const list = async () =>
      (await listUnknownCodes(database, query)).map(({ kind, property, code, count }) => [kind, property, code, count]);
    const all = [
      ["category", "ALP", "A1", 2],
      ["category", "ALP", "B2", 1],
      ["plan", "ALP", "P1", 1],
      ["property", undefined, "4711", 1],
      ["property", undefined, "GONE", 1],
    ];
    const byCode = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1));
    assert.deepEqual(byCode(await list()), byCode(all));
    assert.equal((await list())[0]?.[2], "A1", "the most frequent first");
    assert.equal((await listUnknownCodes(database, query)).find(({ code }) => code === "GONE")?.message, last);
    await setCode(database, { sender: "pms", kind: "category", property: "ALP", code: "A1", target: "DBL" }, BY_TEST);
    await channel.hotel({ code: "GONE" });
    assert.deepEqual(byCode(await list()), byCode(all.slice(1, 4)));
  });

  test("tracks a new sender's progress from its first sign-in to a complete set", async () => {
    const database = await open();
    const { channel, send } = await openAs(database, "pms", ["ALP", "NOWHERE"]);
    await channel.hotel({ code: "ALP", horizon_days: 500 });
    const check = () => findChecklist(database, { sender: "pms", now: NOON });
    const progress = {
      property: "ALP",
      hasCategories: true,
      categoriesWithoutCounts: ["DBL", "SGL"],
      hasPlans: false,
      plansWithoutPrices: [] as string[],
      completeSetAt: undefined as number | undefined,
    };
    assert.deepEqual(await check(), {
      signedInAt: undefined,
      firstAccepted: undefined,
      properties: [progress],
      missing: ["NOWHERE"],
      more: 0,
    });
    assert.equal(await findChecklist(database, { sender: "bms", now: NOON }), undefined);
    await send(counts({ hotel: "ALP", category: "X" }));
    const first = await send(counts({ hotel: "ALP", from: 0, to: 364 }));
    await send(counts({ hotel: "ALP", category: "SGL", from: 0, to: 363 }));
    await send(rates("ALP", "BAR"));
    await database.write.updateTable("rate_plan").set({ code: "EMPTY" }).execute();
    await send(rates("ALP", "FLEX"));
    const partial = await check();
    assert.deepEqual(partial?.firstAccepted, { message: first, at: NOON });
    assert.equal(partial?.signedInAt, NOON);
    assert.deepEqual(partial?.properties, [
      { ...progress, categoriesWithoutCounts: ["SGL"], hasPlans: true, plansWithoutPrices: ["EMPTY"] },
    ]);
    await send(counts({ hotel: "ALP", category: "SGL", from: 364, to: 364 }));
    await send(counts({ hotel: "ALP", from: 0, to: 364 }, '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>'));
    const done = (await check())!.properties[0]!;
    assert.deepEqual([done.categoriesWithoutCounts, typeof done.completeSetAt], [["SGL"], "number"]);
  });

  test("runs each query in less than three seconds with 100,000 messages in the log", async () => {
    const database = await open();
    const names = Array.from({ length: 20 }, (_, index) => `sender ${index}`);
    for (const name of [...names, "quiet"]) await addSender(database, { name });
    await fillLog(database, { senders: [...names.slice(0, 19), ...names.slice(0, 1)], messages: 100_000 });
    const query = { sender: names[0]!, now: NOON };
    const duration = async (work: () => Promise<unknown>) => {
      await work();
      const start = performance.now();
      await work();
      return Math.round(performance.now() - start);
    };
    const times = {
      health: await duration(() => listHealth(database, NOON)),
      causes: await duration(() => listCauses(database, query)),
      codes: await duration(() => listUnknownCodes(database, query)),
      checklist: await duration(() => findChecklist(database, query)),
    };
    assert.ok(
      Object.values(times).every((milliseconds) => milliseconds < 3_000),
      JSON.stringify(times),
    );
    assert.equal((await listHealth(database, NOON)).get(names[0]!)?.hours.length, 24);
  });
});
