import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type Channel, day, openChannel } from "../../../test/support/channel.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { parseNight, weekdayIndex } from "../../calendar/night.ts";
import { readNights } from "../../journal/nights.ts";

const NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
const FLAGS = ["Mon", "Tue", "Weds", "Thur", "Fri", "Sat", "Sun"] as const;

type Line = { category: "DBL" | "SGL" | "all"; from: number; length: number; count: number; days: readonly boolean[] };

const line: fc.Arbitrary<Line> = fc.record({
  category: fc.constantFrom("DBL", "SGL", "all"),
  from: fc.integer({ min: 0, max: 70 }),
  length: fc.integer({ min: 0, max: 40 }),
  count: fc.integer({ min: 0, max: 50 }),
  days: fc.oneof(fc.constant(FLAGS.map(() => true)), fc.array(fc.boolean(), { minLength: 7, maxLength: 7 })),
});

function isMeant({ days }: Line, offset: number): boolean {
  return days[weekdayIndex(parseNight(day(offset))!)] === true;
}

function write({ category, count }: Line, [from, to]: readonly [number, number], flags = ""): string {
  const target = category === "all" ? 'AllInvCode="true"' : `InvTypeCode="${category}"`;
  const counts = category === "all" ? "" : `<InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts>`;
  return `<Inventory><StatusApplicationControl Start="${day(from)}" End="${day(to)}" ${target}${flags}/>${counts}</Inventory>`;
}

function asRange(one: Line): string {
  const flags = one.days.every(Boolean) ? "" : one.days.map((on, index) => ` ${FLAGS[index]}="${on}"`).join("");
  return one.days.some(Boolean) ? write(one, [one.from, one.from + one.length], flags) : "";
}

function nightByNight(one: Line): string {
  const nights = Array.from({ length: one.length + 1 }, (_, index) => one.from + index);
  return nights
    .filter((night) => isMeant(one, night))
    .map((night) => write(one, [night, night]))
    .join("");
}

const message = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="${NAMESPACE}"><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;

let channel: Channel;
let remove: () => Promise<void>;
before(async () => {
  const fresh = await openFresh("SQLite");
  remove = fresh.remove;
  channel = openChannel(fresh.database);
});
after(() => remove());

async function readStored(property: string) {
  const [first, last] = [parseNight(day(0))!, parseNight(day(120))!];
  const lanes = await readNights(channel.database, { property, kind: "inventory", first, last });
  return lanes.map(({ category, lane, columns }) => [category, lane, [...columns].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

test("stores a range exactly like its individual nights, and changes nothing if a message is repeated", async () => {
  const property = fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
    const written = lines.map(asRange).join("");
    fc.pre(written !== "");
    const [ranges, nights] = [await channel.hotel(), await channel.hotel()];
    const first = await channel.send(message(ranges.code, written));
    assert.match(first.text, /<Success\/>/);
    await channel.send(message(nights.code, lines.map(nightByNight).join("") || written));
    assert.deepEqual(await readStored(ranges.code), await readStored(nights.code));
    const again = await channel.send(message(ranges.code, written));
    assert.deepEqual(await readStored(ranges.code), await readStored(nights.code));
    assert.equal(again.receipt?.sameAs, first.receipt?.id);
  });
  await fc.assert(property, { numRuns: 60 });
});
