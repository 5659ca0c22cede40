import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Channel, day, openChannel } from "../../../test/support/channel.ts";
import { openFresh } from "../../../test/support/databases.ts";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/open.ts";
import { lockedOn } from "../../db/postgres/transactions.ts";
import { LARGE_MESSAGE_BYTES } from "./limits.ts";

/** A channel, and another process on its database that locks `count` properties until `unlock` is called. */
async function holdHotels(count: number) {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = await openDatabase(place.url, place.folder);
  const channel = openChannel(database);
  const hotels = await Promise.all(Array.from({ length: count + 1 }, () => channel.hotel()));
  const [free, first, ...more] = hotels as [Hotel, Hotel, ...Hotel[]];
  const held = [first, ...more] as const;
  const { promise: end, resolve: unlock } = Promise.withResolvers<void>();
  await Promise.all(held.map(({ code }) => holdUntil(end, other, code)));
  return { channel, free, held, unlock, remove: () => other.close().then(remove) };
}

/** Resolves once the lock is held. */
function holdUntil(end: Promise<void>, { write }: Database, lock: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const holding = lockedOn({ kysely: write, lockRow: false }, lock, () => {
    resolve();
    return end;
  });
  holding.catch(reject);
  return promise;
}

type Hotel = Awaited<ReturnType<Channel["hotel"]>>;

for (const [what, length] of [
  ["small", 0],
  ["large", LARGE_MESSAGE_BYTES],
] as const) {
  test(`delays only messages for a property that another process has locked: ${what} message`, async () => {
    const { channel, free, held, unlock, remove } = await holdHotels(1);
    const { code, night } = held[0];
    try {
      const waiting = channel.send(counts(code, 1, length));
      const passed = await channel.send(counts(free.code, 2));
      assert.match(passed.text, /<Success\/>/);
      assert.deepEqual(await night(day(1), {}), {});
      unlock();
      assert.ok((await waiting).receipt!.id > passed.receipt!.id);
      assert.equal((await night(day(1), {})).available, 1);
    } finally {
      unlock();
      await remove();
    }
  });
}

test("applies messages for unlocked properties even if another process has locked many others", async () => {
  const { channel, free, held, unlock, remove } = await holdHotels(2 * availableParallelism());
  try {
    const waiting = held.map(({ code }) => channel.send(counts(code, 1)));
    while ((await countWaiting(channel.database)) < held.length) await sleep(5);
    const passed = await channel.send(counts(free.code, 2));
    unlock();
    const ids = (await Promise.all(waiting)).map(({ receipt }) => receipt!.id);
    assert.ok(ids.every((id) => id > passed.receipt!.id));
  } finally {
    unlock();
    await remove();
  }
});

test("refuses a message that is still waiting for another process at shutdown with Retry-After", async () => {
  const { channel, held, unlock, remove } = await holdHotels(1);
  try {
    const waiting = channel.send(counts(held[0].code, 1));
    while ((await countWaiting(channel.database)) < 1) await sleep(5);
    const closed = channel.database.close();
    const { status, headers } = await waiting;
    assert.deepEqual([status, headers["retry-after"]], [503, "30"]);
    await closed;
  } finally {
    unlock();
    await remove();
  }
});

/** Number of messages waiting for a lock. */
async function countWaiting({ read }: Database): Promise<number> {
  const waiting = sql`select 1 from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted`;
  return (await waiting.execute(read)).rows.length;
}

/** Sets the count of one night, in a message padded to `length`. */
function counts(hotel: string, count: number, length = 0): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${" ".repeat(length)}<Inventories HotelCode="${hotel}">${line}</Inventories></OTA_HotelInvCountNotifRQ>`;
}
