import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
const line = (attributes: string, counts: string | undefined, from: number, to = from) =>
  `<Inventory><StatusApplicationControl Start="${day(from)}" End="${day(to)}" ${attributes}/>${counts === undefined ? "" : `<InvCounts>${counts}</InvCounts>`}</Inventory>`;
const limits = (hotel: string, lines: string) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><AvailStatusMessages HotelCode="${hotel}">${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const limit = (attributes: string, target: string, at: number) =>
  `<AvailStatusMessage ${attributes}><StatusApplicationControl Start="${day(at)}" ${target}/></AvailStatusMessage>`;
const count = (type: number, value: number) => `<InvCount CountType="${type}" Count="${value}"/>`;
const dbl = 'InvTypeCode="DBL"';

eachChannel("OTA_HotelInvCountNotifRQ", (channel) => {
  test("does not reopen a closed hotel unless availability is sent or derived", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 3), 1, 9) + line('AllInvCode="true"', undefined, 1, 9)));
    await channel.send(message(code, line(dbl, count(6, 1), 1) + line(dbl, count(1, 5), 2) + line(dbl, count(9, 1), 3)));
    await channel.send(limits(code, limit('BookingLimitMessageType="RemoveLimit"', dbl, 4)));
    await channel.send(message(code, line(`${dbl} InvCode="101"`, count(6, 1), 5)));
    await channel.send(limits(code, limit('BookingLimitMessageType="RemoveLimit"', `${dbl} InvCode="101"`, 5)));
    const found = await Promise.all([1, 2, 3, 4, 5].map((at) => night(day(at), {})));
    const held = { available: 3, closed: 1 };
    assert.deepEqual(found, [{ ...held, outOfOrder: 1 }, { ...held, physical: 5 }, { ...held, offMarket: 1 }, { closed: 1 }, held]);
    await channel.send(message(code, line(dbl, count(1, 9) + count(4, 2), 2)));
    assert.deepEqual(await night(day(2), {}), { available: 7, derived: 1, physical: 9 }, "derived availability reopens the hotel too");
  });

  test("keeps counts that an AlpineBits line omits only if the line has non-AlpineBits count types and no availability", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 7) + count(6, 1), 1, 9)));
    const form = { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms", version: undefined } as const;
    const lines = [count(1, 10), count(3, 4), count(1, 10) + count(6, 2), count(1, 10) + count(2, 5), count(6, 2), undefined];
    const { text } = await channel.send(message(code, lines.map((counts, at) => line(dbl, counts, at + 1)).join("")), form);
    assert.match(text, /<Success\/>.*>physical rooms \(CountType 1\) alone do not set availability; send CountType 2</s);
    const found = await Promise.all(lines.map((_, at) => night(day(at + 1), {})));
    const held = { available: 7, outOfOrder: 1 };
    const stored = { available: 0, outOfOrder: 0, offMarket: 0 };
    assert.deepEqual(found, [
      { ...held, physical: 10 },
      held,
      { available: 7, outOfOrder: 2, physical: 10 },
      { ...stored, available: 5, physical: 10 },
      { ...stored, outOfOrder: 2 },
      stored,
    ]);
  });

  test("warns about a closing season in a hotel without categories", async () => {
    const { code } = await channel.hotel();
    await channel.database.write.deleteFrom("category").where("property", "=", code).execute();
    const { text } = await channel.send(message(code, line('AllInvCode="true"', undefined, 1, 9)));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>the hotel has no categories yet</);
  });

  test("replaces the category's count with counts for individual rooms after a line that sets every category to 0", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 4), 1, 3)));
    const rooms = limit('BookingLimit="1"', `${dbl} InvCode="101"`, 2);
    await channel.send(limits(code, limit('BookingLimit="0"', 'AllInvCode="1"', 1) + rooms));
    const found = await Promise.all([1, 2, 3].map((at) => night(day(at), {})));
    assert.deepEqual(found, [{ available: 0 }, {}, { available: 4 }]);
  });

  test("overrides individual rooms with a later line for every category only on its weekdays", async () => {
    const { code, night } = await channel.hotel();
    const rooms = line(`${dbl} InvCode="101"`, count(2, 1), 1, 9) + line(`${dbl} InvCode="102"`, count(2, 1), 1, 9);
    await channel.send(message(code, rooms + line('AllInvCode="true" Mon="1"', count(2, 0), 1, 9)));
    const found = await Promise.all([2, 3, 4].map((at) => night(day(at), {})));
    assert.deepEqual(found, [{}, { available: 0 }, {}]);
  });

  test("refuses lines for a second hotel, even if hotels are identified by name", async () => {
    const [first, second] = [await channel.hotel({ name: "Alpenrose" }), await channel.hotel({ name: "Seerose" })];
    const twice = (other: string) =>
      message(first.code, line(dbl, count(2, 4), 1))
        .replace(`HotelCode="${first.code}"`, 'HotelName="Alpenrose"')
        .replace("</Inventories>", `$&<Inventories ${other}>${line(dbl, count(2, 5), 2)}</Inventories>`);
    for (const other of ['HotelName="Seerose"', `HotelCode="${second.code}"`])
      assert.match((await channel.send(twice(other))).text, /Type="3" Code="320"[^>]*>A message must be for one hotel</, other);
    assert.deepEqual([await first.night(day(1), {}), await second.night(day(1), {})], [{}, {}]);
    assert.match((await channel.send(twice(`HotelName="Alpenrose" HotelCode="${first.code}"`))).text, /<Success\/><\//);
    assert.deepEqual([await first.night(day(1), {}), await first.night(day(2), {})], [{ available: 4 }, { available: 5 }]);
  });

  test("does not report lines for different weekdays as overlapping", async () => {
    const { code } = await channel.hotel();
    const advised = async (days: string) => {
      const lines = line(`${dbl} Sat="1"`, count(2, 4), 1, 20) + line(`${dbl} ${days}`, count(2, 5), 3, 9);
      const { receipt } = await channel.send(message(code, lines));
      return receipt!.verdict.notes.advisories.some((text) => text.includes("overlap"));
    };
    assert.deepEqual([await advised('Sun="1"'), await advised('Sat="1" Sun="1"')], [false, true]);
  });

  test("treats an empty block code as missing", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(`${dbl} InvBlockCode="" SubBlockCode=" "`, count(2, 4), 1)));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), {}), { available: 4 });
  });

  test("ignores OffSell, and does not mark a category as sold out if its line contains nothing else", async () => {
    const { code, night } = await channel.hotel();
    const overselling = (lines: string) => lines.replaceAll("</Inventory>", '<OffSell OffSellValue="2"/></Inventory>');
    const { text } = await channel.send(message(code, overselling(line(dbl, count(2, 8), 1) + line(dbl, undefined, 1, 2))));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>OffSell is not stored</);
    assert.deepEqual([await night(day(1), {}), await night(day(2), {})], [{ available: 8 }, {}]);
    await channel.send(message(code, overselling(line(dbl, undefined, 1)) + line(dbl, undefined, 2)));
    const found = [await night(day(1), {}), await night(day(2), {})];
    assert.deepEqual(found, [{ available: 8 }, { available: 0 }], "a line without OffSell and counts still means sold out");
  });

  test("does not store a hotel-wide total above 0, even if the line names a plan", async () => {
    const { code, night } = await channel.hotel();
    const all = 'AllInvCode="true" RatePlanCode="BAR"';
    for (const sent of [limits(code, limit('BookingLimit="10"', all, 1)), message(code, line(all, count(2, 10), 1))]) {
      const { text } = await channel.send(sent);
      assert.match(text, /<Success\/>.*>a count for the whole property is not stored; send one per category</);
    }
    assert.deepEqual([await night(day(1), {}), await night(day(1), { kind: "rate", lane: "BAR" })], [{}, {}]);
    await channel.send(limits(code, limit('BookingLimit="0"', all, 1)));
    await channel.send(message(code, line(all, undefined, 1)));
    assert.deepEqual(await night(day(1), {}), { available: 0 }, "a total of 0 sets every category to 0 but does not close the hotel");
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "BAR", category: "SGL" }), { allotment: 0 });
  });
});
