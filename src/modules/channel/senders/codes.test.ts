// A sender with its own codes gets the same responses and stores the same data as a sender that uses our codes.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Channel, day, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { parseNight } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import { findMessage } from "../../../journal/messages.ts";
import { readNights } from "../../../journal/nights.ts";
import { listAudit } from "../../../records/audit.ts";
import { type Example, type ExampleCodes, wrapRequest } from "../example.ts";
import { messages } from "../messages/index.ts";
import { presetExamples } from "../profiles/presets.ts";
import { listCodes, removeCode, setCode } from "./code-store.ts";
import { senderSubject } from "./store.ts";

const OURS = { hotel: "ALP", category: "DBL", plan: "BAR" };
const THEIRS = { hotel: "4711", category: "7", plan: "9" };
const EXAMPLES: readonly Example[] = [...messages.flatMap(({ examples }) => examples), ...presetExamples];

const OTA = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const counts = (hotel: string, category: string) =>
  `<OTA_HotelInvCountNotifRQ ${OTA}><Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="${category}"/><InvCounts><InvCount CountType="2" Count="3"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

async function mapAll(database: Database, sender: string): Promise<void> {
  const keys = { sender, property: OURS.hotel };
  await setCode(database, { sender, property: "", kind: "property", code: THEIRS.hotel, target: OURS.hotel }, BY_TEST);
  await setCode(database, { ...keys, kind: "category", code: THEIRS.category, target: OURS.category }, BY_TEST);
  await setCode(database, { ...keys, kind: "plan", code: THEIRS.plan, target: OURS.plan }, BY_TEST);
}

/** Everything stored for a property, with `codes` replaced by our codes. */
async function readStored(database: Database, codes: typeof OURS) {
  const [first, last] = [parseNight(day(0))!, parseNight(day(700))!];
  const own = (code: string) => ({ [codes.category]: OURS.category, [codes.plan]: OURS.plan })[code] ?? code;
  const lanes = await Promise.all(
    (["inventory", "rate"] as const).map((kind) => readNights(database, { property: codes.hotel, kind, first, last })),
  );
  const { read } = database;
  const plans = await read.selectFrom("rate_plan").selectAll().where("property", "=", codes.hotel).execute();
  const categories = await read.selectFrom("category").selectAll().where("property", "=", codes.hotel).execute();
  const property = await read.selectFrom("property").selectAll().where("code", "=", codes.hotel).executeTakeFirstOrThrow();
  const byCode = (rows: readonly { code: string }[]) => rows.map(({ code, ...row }) => ({ ...row, code: own(code), property: "" }));
  return {
    nights: lanes.map((found) =>
      found.map(({ category, lane, columns }) => [own(category), own(lane), [...columns].toSorted()]).toSorted(),
    ),
    plans: byCode(plans.map((row) => ({ ...row, sender: "", first_seen_at: 0, last_seen_at: 0 }))).toSorted((a, b) =>
      a.code < b.code ? -1 : 1,
    ),
    categories: byCode(categories.map(({ sort_name: _, ...row }) => ({ ...row, name: "" }))).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    property: { ...property, code: "" },
  };
}

eachEngine("A sender with its own codes", (open) => {
  const sides: { channel: Channel; secret: string; codes: typeof OURS }[] = [];
  before(async () => {
    for (const codes of [THEIRS, OURS]) {
      const channel = openChannel(await open());
      const { code } = await channel.hotel({ code: codes.hotel, name: "Hotel", horizon_days: 600 });
      await channel.database.write
        .updateTable("category")
        .set({ code: codes.category })
        .where("property", "=", code)
        .where("code", "=", "DBL")
        .execute();
      sides.push({ channel, codes, secret: "" });
    }
  });

  for (const [index, example] of EXAMPLES.entries()) {
    test(`returns the same response whether a message uses the sender's codes or ours: ${example.name}`, async () => {
      const answers: unknown[] = [];
      for (const { channel, codes } of sides) {
        const name = `sender ${index}`;
        const hotels = example.profile ? [codes.hotel] : undefined;
        const secret = await addSender(channel.database, { name, hotels, profile: example.profile });
        if (codes === OURS) await mapAll(channel.database, name);
        const sent: ExampleCodes = { ...THEIRS, currency: "EUR", day };
        const { headers, body } = wrapRequest(example.xml(sent), { transport: "raw", ...example });
        const { status, text, receipt } = await channel.post({ headers: { ...headers, authorization: `Bearer ${secret}` }, body });
        const { outcome } = receipt!.verdict;
        answers.push({ status, outcome, changed: receipt!.changedNights, text: text.replaceAll(/TimeStamp="[^"]*"/g, "") });
      }
      assert.deepEqual(answers[1], answers[0]);
    });
  }

  test("stores the same data under our codes", async () => {
    const [plain, mapped] = await Promise.all(sides.map(({ channel, codes }) => readStored(channel.database, codes)));
    assert.deepEqual(mapped, plain);
    assert.ok(mapped!.nights.flat().length > 3 && mapped!.plans.length > 0, "the examples store nights and plans");
  });

  test("uses the sender's codes in query results and errors, and ours in the log", async () => {
    const channel = openChannel(await open());
    await channel.hotel({ code: "ALP" });
    const secret = await addSender(channel.database, { name: "pms", hotels: ["ALP"] });
    await mapAll(channel.database, "pms");
    const send = (body: string) => channel.post({ body, headers: { authorization: `Bearer ${secret}` } });
    const { receipt } = await send(counts("4711", "7"));
    const found = await findMessage(channel.database, receipt!.id);
    assert.equal(found!.message.property, "ALP");
    assert.equal(found!.message.summary, `DBL ${day(1)}: available 3`);
    assert.equal(found!.changes[0]?.category, "DBL");
    assert.match(Buffer.from(found!.bodies!.request).toString(), /HotelCode="4711".*InvTypeCode="7"/);
    assert.ok(found!.notes!.advisories.includes("sender's codes: 7 is our category DBL"));
    const info = `<OTA_HotelDescriptiveInfoRQ ${OTA}><HotelDescriptiveInfos><HotelDescriptiveInfo HotelCode="4711"/></HotelDescriptiveInfos></OTA_HotelDescriptiveInfoRQ>`;
    const { text } = await send(info);
    assert.match(text, /HotelCode="4711".*<GuestRoom Code="7"/);
    assert.doesNotMatch(text, /ALP|"DBL"/);
    assert.match((await send(counts("4711", "8"))).text, /Room type code not found for this hotel \(8\)/);
    assert.match((await send(counts("ALP", "SGL"))).text, /<Success/, "our codes are accepted if they are not mapped");
    assert.match((await send(counts("ALP", "DBL"))).text, /Code="402"/, "a mapped category is known only by the sender's code");
  });

  test("refuses our code for a plan or category for which the sender has its own code", async () => {
    const channel = openChannel(await open());
    await channel.hotel({ code: "ALP" });
    const secret = await addSender(channel.database, { name: "pms" });
    await mapAll(channel.database, "pms");
    const rooms = `<OTA_HotelDescriptiveContentNotifRQ ${OTA}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="4711"><FacilityInfo><GuestRooms><GuestRoom Code="DBL"><TypeRoom StandardOccupancy="2"/></GuestRoom></GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
    const rates = (plan: string) =>
      `<OTA_HotelRateAmountNotifRQ ${OTA}><RateAmountMessages HotelCode="4711"><RateAmountMessage><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="7" RatePlanCode="${plan}"/><Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    const send = (body: string) => channel.post({ body, headers: { authorization: `Bearer ${secret}` } });
    for (const [body, words] of [
      [rooms, "DBL is mapped for this sender; send 7 instead"],
      [rates("BAR"), "BAR is mapped for this sender; send 9 instead"],
    ] as const) {
      const { text, receipt } = await send(body);
      assert.match(text, new RegExp(`Code="320"[^>]*>${words}<`));
      assert.equal(receipt!.changedNights, 0);
    }
    assert.match((await send(rates("9"))).text, /<Success/);
    const plans = await channel.database.read.selectFrom("rate_plan").select("code").execute();
    assert.deepEqual(plans, [{ code: "BAR" }]);
  });

  test("never gives access to another property through a sender's code", async () => {
    const channel = openChannel(await open());
    const [mine, theirs] = [await channel.hotel({ code: "MINE" }), await channel.hotel({ code: "THEIRS" })];
    const secret = await addSender(channel.database, { name: "pms", hotels: ["MINE"] });
    const send = (hotel: string) => channel.post({ body: counts(hotel, "DBL"), headers: { authorization: `Bearer ${secret}` } });
    const map = (code: string, target: string) =>
      setCode(channel.database, { sender: "pms", kind: "property", property: "", code, target }, BY_TEST);
    await map("1", "THEIRS");
    await map("THEIRS", "MINE");
    assert.match((await send("1")).text, /Code="497"[^>]*>You do not have access to hotel 1</);
    assert.match((await send("THEIRS")).text, /<Success/, "THEIRS is the sender's own code for MINE");
    assert.deepEqual(await theirs.night(day(1), {}), {});
    assert.equal((await mine.night(day(1), {}))["available"], 3);
  });

  test("lists, changes and removes codes and audits each change", async () => {
    const database = await open();
    await addSender(database, { name: "pms" });
    const code = { sender: "pms", kind: "category", property: "ALP", code: " D1 ", target: "DBL" } as const;
    assert.equal(await setCode(database, code, BY_TEST), "done");
    assert.equal(await setCode(database, code, BY_TEST), "unchanged");
    assert.equal(await setCode(database, { ...code, code: "D2" }, BY_TEST), "duplicate");
    assert.equal(await setCode(database, { ...code, property: "BET", code: "D2" }, BY_TEST), "done");
    assert.equal(await setCode(database, { ...code, target: "TWN" }, BY_TEST), "done");
    assert.equal(await setCode(database, { ...code, sender: "bms" }, BY_TEST), "unknown");
    const listed = await listCodes(database, "pms");
    assert.deepEqual(
      listed.map(({ property, code: own, target }) => [property, own, target]),
      [
        ["ALP", "D1", "TWN"],
        ["BET", "D2", "DBL"],
      ],
    );
    assert.deepEqual([await removeCode(database, code, BY_TEST), await removeCode(database, code, BY_TEST)], [true, false]);
    const entries = (await listAudit(database, senderSubject("pms"))).toReversed().slice(1);
    assert.deepEqual(
      entries.map(({ action, changes }) => [action, ...changes.flatMap(({ field, from, to }) => [field, from, to])]),
      [
        ["map", "category ALP/D1", "", "DBL"],
        ["map", "category BET/D2", "", "DBL"],
        ["map", "category ALP/D1", "DBL", "TWN"],
        ["unmap", "category ALP/D1", "TWN", ""],
      ],
    );
  });
});
