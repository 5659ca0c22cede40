import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel, type Lane } from "../../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const ask = (hotel: string, filter = "") =>
  `<OTA_HotelInvCountRQ ${NAMESPACE}><HotelInvCountRequests><HotelInvCountRequest>${filter}<HotelRef HotelCode="${hotel}"/></HotelInvCountRequest></HotelInvCountRequests></OTA_HotelInvCountRQ>`;
const store = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const line = (control: string, ...counts: (readonly [type: number, count: number])[]) => {
  const written = counts.map(([type, count]) => `<InvCount CountType="${type}" Count="${count}"/>`).join("");
  return `<Inventory><StatusApplicationControl ${control}/>${counts.length === 0 ? "" : `<InvCounts>${written}</InvCounts>`}</Inventory>`;
};
const nights = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;
const listIn = (text: string) => /<Inventories[^>]*>(.*)<\/Inventories>/.exec(text)?.[1];
const withoutSetters = (night: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(night).filter(([name]) => !name.startsWith("setter:")));
const category = (code: string) => `<RoomTypeCandidates><RoomTypeCandidate RoomTypeCode="${code}"/></RoomTypeCandidates>`;

eachChannel("A query for counts", (channel) => {
  test("returns every count in a form that can be sent back", async () => {
    const [from, other] = [await channel.hotel(), await channel.hotel()];
    const lines = [
      line(`InvTypeCode="DBL" ${nights(0, 4)}`, [2, 12], [6, 1], [9, 2]),
      line(`InvTypeCode="DBL" ${nights(3, 3)}`, [2, 0]),
      line(`InvTypeCode="SGL" ${nights(0, 8)}`, [1, 20], [2, 5]),
      line(`InvTypeCode="SGL" RatePlanCode="BAR" ${nights(1, 2)}`, [2, 3]),
      line(`AllInvCode="true" ${nights(6, 7)}`),
    ];
    assert.match((await channel.send(store(from.code, lines.join("")))).text, /<Success\/><\//);
    const { text } = await channel.send(ask(from.code));
    assert.match((await channel.send(store(other.code, listIn(text)!))).text, /<Success\/><\//);
    const lanes: Lane[] = [{}, { category: "SGL" }, { kind: "rate", category: "SGL", lane: "BAR" }];
    for (const lane of lanes)
      for (let date = 0; date < 10; date++)
        assert.deepEqual(withoutSetters(await other.night(day(date), lane)), withoutSetters(await from.night(day(date), lane)), `${date}`);
    assert.equal((await other.night(day(6), {}))["closed"], 1);
    assert.equal((await other.night(day(2), lanes[2]!))["allotment"], 3);
  });

  test("returns consecutive nights with the same counts as one line, and lists closed nights last", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`InvTypeCode="DBL" ${nights(0, 4)}`, [2, 3]) + line(`InvTypeCode="DBL" ${nights(5, 9)}`, [2, 3])));
    await channel.send(store(code, line(`AllInvCode="true" ${nights(12, 14)}`)));
    const { text } = await channel.send(ask(code));
    assert.equal(listIn(text), line(`${nights(0, 9)} InvTypeCode="DBL"`, [2, 3]) + line(`${nights(12, 14)} AllInvCode="true"`));
  });

  test("returns counts for individual rooms with their room codes", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`InvTypeCode="DBL" InvCode="101" ${nights(0, 1)}`, [2, 1])));
    assert.equal(listIn((await channel.send(ask(code))).text), line(`${nights(0, 1)} InvTypeCode="DBL" InvCode="101"`, [2, 1]));
  });

  test("returns only the requested nights and categories", async () => {
    const { code } = await channel.hotel();
    const both = ["DBL", "SGL"].map((name) => line(`InvTypeCode="${name}" ${nights(0, 20)}`, [2, 4])).join("");
    await channel.send(store(code, both + line(`AllInvCode="true" ${nights(15, 20)}`)));
    const range = `<DateRange ${nights(14, 16)}/>`;
    const { text } = await channel.send(ask(code, range + category("SGL")));
    assert.equal(listIn(text), line(`${nights(14, 16)} InvTypeCode="SGL"`, [2, 4]) + line(`${nights(15, 16)} AllInvCode="true"`));
  });

  test("warns about closed categories in a property that is otherwise open", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`AllInvCode="true" ${nights(0, 3)}`)));
    await channel.send(store(code, line(`InvTypeCode="SGL" ${nights(2, 3)}`, [2, 4])));
    const { text } = await channel.send(ask(code));
    assert.equal(listIn(text), line(`${nights(2, 3)} InvTypeCode="SGL"`, [2, 4]) + line(`${nights(0, 1)} AllInvCode="true"`));
    assert.match(
      text,
      /<Warnings><Warning [^>]*>not included: nights on which DBL is closed but other categories are not<\/Warning><\/Warnings>/,
    );
  });

  test("returns an empty list if nothing is stored", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(ask(code));
    assert.match(text, /<OTA_HotelInvCountRS [^>]*><Success\/><Inventories HotelCode="[^"]+" HotelName="Hotel"><\/Inventories><\//);
  });
});
