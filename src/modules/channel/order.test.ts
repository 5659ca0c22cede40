import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { KyselyPlugin } from "kysely";
import { day, openChannel } from "../../../test/support/channel.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { LARGE } from "./limits.ts";
import { createSender } from "./senders/store.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** One line that sets the count of the first night, again and again until the message is that long. */
function counts(hotel: string, count: number, length: number): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
  const lines = line.repeat(Math.max(1, Math.ceil(length / line.length)));
  return `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

eachEngine("Messages of one hotel", (open) => {
  test("are applied in the order in which they came, however long it takes to read them", async () => {
    const channel = openChannel(await open());
    const hotel = await channel.hotel();
    const sent = [
      counts(hotel.code, 1, 8 * LARGE),
      counts(hotel.code, 2, 2 * LARGE),
      counts(hotel.code, 3, 0),
      counts(hotel.code, 4, LARGE),
      counts(hotel.code, 5, 0),
    ];
    const answers = await Promise.all(sent.map((xml) => channel.send(xml)));
    const ids = answers.map(({ receipt }) => receipt!.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal((await hotel.night(day(1), {})).available, 5);
  });

  test("are applied in the order in which they came, also where one is for all categories and decided in pieces", async () => {
    const channel = openChannel(await open());
    const hotel = await channel.hotel();
    const sent = [closings(hotel.code, 300, "Close"), closings(hotel.code, 1, "Open"), closings(hotel.code, 2, "Open")];
    const [first, ...later] = (await Promise.all(sent.map((xml) => channel.send(xml)))).map(({ receipt }) => receipt!.id);
    assert.ok(later.every((id) => id > first!));
    const stopSell = async (night: number, category: string) =>
      (await hotel.night(day(night), { kind: "rate", lane: "BAR", category }))["stopSell"];
    assert.deepEqual([await stopSell(1, "DBL"), await stopSell(2, "SGL"), await stopSell(3, "SGL")], [0, 0, 1]);
  });

  for (const [what, name] of [
    ["their sender", undefined],
    ["the name of their hotel", "Seehof"],
  ] as const) {
    test(`are applied in the order in which they came, however long it takes to find ${what}`, async () => {
      const database = await open();
      const channel = openChannel({ ...database, read: database.read.withPlugin(eachFasterThanTheLast()) });
      const { code, night } = await channel.hotel({ name: name ?? "" });
      const secret = await createSender(database, { name: "one", hotels: undefined, now: 0 });
      const headers = { authorization: `Bearer ${secret}` };
      const sent = [counts(code, 1, 0), counts(code, 2, LARGE), counts(code, 3, 0)];
      const bodies = name === undefined ? sent : sent.map((xml) => named(xml, name));
      const answers = await Promise.all(bodies.map((body) => channel.post({ body, headers, open: false })));
      const ids = answers.map(({ receipt }) => receipt!.id);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
      assert.equal((await night(day(1), {})).available, 3);
    });
  }

  test("are applied in the order in which they came, however long it takes to unpack them", async () => {
    const channel = openChannel(await open());
    const { code, night } = await channel.hotel();
    const packed = { body: gzipSync(counts(code, 1, 0)), headers: { "content-encoding": "gzip" } };
    await Promise.all([channel.post(packed), channel.post({ body: counts(code, 2, 0) })]);
    assert.equal((await night(day(1), {})).available, 2);
  });

  test("of another one do not wait for one that is decided in pieces", async () => {
    const channel = openChannel(await open());
    const [hotel, other] = [await channel.hotel(), await channel.hotel()];
    const long = channel.send(closings(hotel.code, 300, "Close"));
    const answer = await channel.send(closings(other.code, 1, "Close"));
    assert.ok(answer.receipt!.id < (await long).receipt!.id);
  });
});

/** Opens or closes the first nights of a rate plan in all categories, a line a night. */
function closings(hotel: string, nights: number, status: "Open" | "Close"): string {
  const lines = Array.from(
    { length: nights },
    (_, night) =>
      `<AvailStatusMessage><StatusApplicationControl Start="${day(night + 1)}" End="${day(night + 1)}" RatePlanCode="BAR"/><RestrictionStatus Status="${status}"/></AvailStatusMessage>`,
  );
  return `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${hotel}">${lines.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
}

function named(xml: string, name: string): string {
  return xml.replace(/HotelCode="[^"]*"/, `HotelName="${name}"`);
}

/** Answers of the database that take less time one after the other, as on connections of their own. */
function eachFasterThanTheLast(): KyselyPlugin {
  let wait = 40;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await sleep((wait = Math.max(0, wait - 10)));
      return result;
    },
  };
}
