import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answered, type Channel, day, openChannel } from "../../../test/support/channel.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { parseNight } from "../../calendar/night.ts";
import { readNights } from "../../journal/nights.ts";
import { LARGE_MESSAGE_BYTES } from "./limits.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const NIGHTS = 30;
const HOTEL_NAME = "Seehof";

/** Sets one count for every night of both categories, one line per night, with a comment of `length` characters. */
function counts(hotel: string, count: number, length = 0): string {
  const lines = ["DBL", "SGL"].flatMap((category) =>
    Array.from({ length: NIGHTS }, (_, night) => {
      const control = `<StatusApplicationControl Start="${day(night)}" End="${day(night)}" InvTypeCode="${category}"/>`;
      return `<Inventory>${control}<InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
    }),
  );
  const comment = `<!-- ${randomBytes(length / 2).toString("hex")} -->`;
  return `<OTA_HotelInvCountNotifRQ ${NAMESPACE}>${comment}<Inventories ${hotel}>${lines.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

type Send = (channel: Channel, hotel: string, count: number) => Promise<Answered>;

/** Ways to send a message, which differ in how soon its property is known. */
const WAYS: readonly Send[] = [
  (channel, hotel, count) => channel.send(counts(`HotelCode="${hotel}"`, count)),
  (channel, hotel, count) => channel.send(counts(`HotelCode="${hotel}"`, count, LARGE_MESSAGE_BYTES)),
  (channel, _hotel, count) => channel.send(counts(`HotelName="${HOTEL_NAME}"`, count)),
  (channel, hotel, count) => channel.post({ body: gzipSync(counts(`HotelCode="${hotel}"`, count, LARGE_MESSAGE_BYTES)), headers: GZIP }),
];
const GZIP = { "content-encoding": "gzip" };

/** The distinct counts of all nights. */
async function countsOf({ database }: Channel, property: string): Promise<unknown[]> {
  const [first, last] = [parseNight(day(0))!, parseNight(day(NIGHTS - 1))!];
  const lanes = await readNights(database, { property, kind: "inventory", first, last });
  return [...new Set(lanes.flatMap(({ columns }) => columns.get("available")))];
}

eachEngine("Messages for one property", (open, openTarget) => {
  /** Channels of two processes on one database, and a property. */
  async function openTwo() {
    const target = await openTarget();
    const channels = [openChannel(await open(target)), openChannel(await open(target))] as const;
    const { code } = await channels[0].hotel({ name: HOTEL_NAME });
    return { channels, code };
  }

  test("applies a message after every message that was already answered, even by another process", async () => {
    const { channels, code } = await openTwo();
    for (let count = 0; count < 16; count++) {
      const channel = channels[(count >> 1) % 2]!;
      const { text } = await WAYS[count % WAYS.length]!(channel, code, count);
      assert.match(text, /<Success\/>/);
      assert.deepEqual(await countsOf(channels[0], code), [count]);
    }
  });

  test("applies each message completely, whatever order they arrive in", async () => {
    const { channels, code } = await openTwo();
    for (const order of permutations([0, 1, 2, 3])) {
      for (const processes of [1, 2]) {
        const answers = await Promise.all(order.map((way, at) => WAYS[way]!(channels[at % processes]!, code, at)));
        for (const { text } of answers) assert.match(text, /<Success\/>/);
        const ids = answers.map(({ receipt }) => receipt!.id);
        assert.deepEqual(
          await countsOf(channels[0], code),
          [ids.indexOf(Math.max(...ids))],
          `ways ${order.join()}, ${processes} processes`,
        );
      }
    }
  });

  test("applies each concurrent message to the result of the previous one", async () => {
    const { channels, code } = await openTwo();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => WAYS[at % WAYS.length]!(channels[at % 2]!, code, at)));
    const receipts = answers.map(({ receipt }) => receipt!).toSorted((a, b) => a.id - b.id);
    const seen = receipts.map(({ changes }) => [changes[0]!.from, changes[0]!.to]);
    assert.deepEqual(
      seen.map(([from]) => from),
      [undefined, ...seen.map(([, to]) => to).slice(0, -1)],
    );
  });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
