import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Channel, day, openChannel } from "../../../test/support/channel.ts";
import { openFresh } from "../../../test/support/databases.ts";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/open.ts";
import { LARGE, PATIENCE_MS } from "./limits.ts";

/** A channel, and another process on its database that holds so many hotels until `letGo` is called. */
async function holdHotels(count: number) {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = await openDatabase(place.url, place.folder);
  const channel = openChannel(database);
  const hotels = await Promise.all(Array.from({ length: count + 1 }, () => channel.hotel()));
  const [free, first, ...more] = hotels as [Hotel, Hotel, ...Hotel[]];
  const held = [first, ...more] as const;
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
  await Promise.all(held.map(({ code }) => holdUntil(end, other, code)));
  return { channel, free, held, other, letGo, remove: () => other.close().then(remove) };
}

/** Resolves when the hotel is held. */
function holdUntil(end: Promise<void>, database: Database, hotel: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const holding = database.edit(hotel, () => {
      resolve();
      return end;
    });
    holding.catch(reject);
  });
}

type Hotel = Awaited<ReturnType<Channel["hotel"]>>;

test("a large message of a hotel that another process holds lets those of other hotels pass, and none of its own", async () => {
  const { channel, free, held, letGo, remove } = await holdHotels(1);
  const { code, night } = held[0];
  try {
    const waiting = [counts(code, 1, LARGE), counts(code, 2, 0), counts(code, 3, LARGE), counts(code, 4, 0)].map((xml) =>
      channel.send(xml),
    );
    const passed = await channel.send(counts(free.code, 5, LARGE));
    letGo();
    const ids = [passed, ...(await Promise.all(waiting))].map(({ receipt }) => receipt!.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal((await night(day(1), {})).available, 4);
  } finally {
    letGo();
    await remove();
  }
});

test("however many hotels another process holds, messages of the others are answered", async () => {
  const { channel, free, held, letGo, remove } = await holdHotels(2 * availableParallelism());
  try {
    const waiting = held.map(({ code }) => channel.send(counts(code, 1, 0)));
    while ((await countWaiting(channel.database)) < held.length) await sleep(5);
    const passed = await channel.send(counts(free.code, 2, 0));
    letGo();
    const ids = (await Promise.all(waiting)).map(({ receipt }) => receipt!.id);
    assert.ok(ids.every((id) => id > passed.receipt!.id));
  } finally {
    letGo();
    await remove();
  }
});

test("a message that waits for its hotel keeps its place before later ones of other processes", async () => {
  const { channel, held, other, letGo, remove } = await holdHotels(1);
  const { code, night } = held[0];
  try {
    const waiting = channel.send(counts(code, 1, 0));
    await sleep(2 * PATIENCE_MS);
    const later = other.edit(code, () => night(day(1), {}));
    await sleep(2 * PATIENCE_MS);
    letGo();
    assert.equal((await later).available, 1);
    await waiting;
  } finally {
    letGo();
    await remove();
  }
});

test("a message that still waits for another process when its own ends is told to come back", async () => {
  const { channel, held, letGo, remove } = await holdHotels(1);
  try {
    const waiting = channel.send(counts(held[0].code, 1, 0));
    while ((await countWaiting(channel.database)) < 1) await sleep(5);
    const closed = channel.database.close();
    const { status, headers } = await waiting;
    assert.deepEqual([status, headers["retry-after"]], [503, "30"]);
    await closed;
  } finally {
    letGo();
    await remove();
  }
});

/** How many messages wait for a lock. */
async function countWaiting({ read }: Database): Promise<number> {
  const waiting = sql`select 1 from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted`;
  return (await waiting.execute(read)).rows.length;
}

/** Sets the count of the first night, again and again until the message is that long. */
function counts(hotel: string, count: number, length: number): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
  const lines = line.repeat(Math.max(1, Math.ceil(length / line.length)));
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
}
