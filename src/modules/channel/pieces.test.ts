import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { day, openChannel } from "../../../test/support/channel.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { tellingPieces } from "../../../test/support/pieces.ts";
import { inPieces } from "../../pieces.ts";
import { invCountNotif } from "./messages/inv-count-notif/message.ts";

const LINES = 20_000;
/** 200 lines each. */
const PIECES = LINES / 200;

test("between two pieces of work others do theirs", async () => {
  const said: string[] = [];
  function* pieces() {
    for (let piece = 1; piece <= 3; piece++) yield void said.push(`piece ${piece}`);
    return "whole";
  }
  const done = inPieces(pieces());
  let turns = 0;
  for (; said.length < 3; turns++) await nextTurn();
  assert.equal(await done, "whole");
  assert.ok(turns >= 3, `${turns} turns`);
});

test("others are served between the pieces in which a message is decided, and between those in which it is applied", async () => {
  const { database, remove } = await openFresh("SQLite");
  let turn = 0;
  let ticking = true;
  const ticked = (async () => {
    for (; ticking; turn++) await nextTurn();
  })();
  const [decided, committed] = [[] as number[], [] as number[]];
  const commit: typeof database.commit = (batch) => {
    committed.push(turn);
    return database.commit(batch);
  };
  const channel = openChannel({ ...database, commit }, [tellingPieces(invCountNotif, () => decided.push(turn))]);
  try {
    const { code } = await channel.hotel();
    await channel.send(countsOf(code));
    assert.ok(new Set(decided).size >= PIECES, `decided in ${new Set(decided).size} turns`);
    assert.ok(committed[0]! - decided.at(-1)! >= PIECES, `applied in ${committed[0]! - decided.at(-1)!} turns`);
  } finally {
    ticking = false;
    await ticked;
    await remove();
  }
});

function countsOf(hotel: string): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="1"/></InvCounts></Inventory>`;
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="${hotel}">${line.repeat(LINES)}</Inventories></OTA_HotelInvCountNotifRQ>`;
}
