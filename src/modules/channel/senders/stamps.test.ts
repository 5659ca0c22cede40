import assert from "node:assert/strict";
import { test } from "node:test";
import { day, NOON, openChannel } from "../../../../test/support/channel.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { createSender } from "./store.ts";

const message = (hotel: string, stamp: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" TimeStamp="${stamp}"><Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

test("a message that is stamped before an earlier one counts, with a note in the log", async () => {
  const { database, remove } = await openFresh("SQLite");
  try {
    const channel = openChannel(database);
    const { code } = await channel.hotel();
    const unreadable = await channel.send(message(code, "yesterday"));
    assert.ok(unreadable.receipt?.verdict.notes.advisories.includes("TimeStamp is no date and time"));
    const advised = async (stamp: string) => {
      const { receipt } = await channel.send(message(code, stamp));
      assert.equal(receipt?.verdict.outcome, "ok");
      return receipt.verdict.notes.advisories.some((text) => text.startsWith("out of order?"));
    };
    assert.equal(await advised("2026-11-20T12:00:00Z"), false);
    assert.equal(await advised("2026-11-20T13:00:30+01:00"), false);
    assert.equal(await advised("2026-11-20 11:59:45"), false);
    assert.equal(await advised("2026-11-20T11:00:00"), true);
    assert.equal(await advised("2026-11-20T11:58:00Z"), true, "the newest one is still the one of noon");
    assert.equal(await advised("yesterday"), false);
    assert.equal(await advised("2026-11-20T12:00:31Z"), false);
    assert.equal(await advised("2027-11-20T12:00:00Z"), false, "a clock that is ahead");
    assert.equal(await advised("2026-11-20T12:00:00Z"), false, "and was set right");
  } finally {
    await remove();
  }
});

test("the stamps of one sender are not held against another's", async () => {
  const { database, remove } = await openFresh("SQLite");
  try {
    const channel = openChannel(database);
    const { code } = await channel.hotel();
    const secrets = new Map<string, string>();
    for (const name of ["pms", "channel manager"]) secrets.set(name, await createSender(database, { name, hotels: undefined, now: NOON }));
    const advised = async (name: string, stamp: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:${secrets.get(name)}`).toString("base64")}`;
      const { receipt } = await channel.post({ body: message(code, stamp), headers: { authorization } });
      assert.equal(receipt?.verdict.outcome, "ok");
      return receipt.verdict.notes.advisories.some((text) => text.startsWith("out of order?"));
    };
    assert.equal(await advised("pms", "2026-11-20T12:00:00Z"), false);
    assert.equal(await advised("channel manager", "2026-11-20T11:00:00Z"), false);
    assert.equal(await advised("pms", "2026-11-20T11:30:00Z"), true);
  } finally {
    await remove();
  }
});
