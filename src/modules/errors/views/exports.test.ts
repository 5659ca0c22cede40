import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { startApp } from "../../../../test/support/app.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { fillDatabase } from "../../../cli/seed/fill.ts";

const ENTRIES = 5_000;
const AMOUNTS = { properties: 0, categories: 0, plans: 0, nights: 0, errors: ENTRIES, messages: 0 };

test("a long JSON export contains each entry once and lets other requests run", async () => {
  const { database, remove } = await openFresh("SQLite");
  await using service = await startApp({ database });
  await fillDatabase(database, AMOUNTS, { now: service.clock.now(), progress() {} });
  const page = await countTurns(() => service.inject("/tools/errors?format=json&size=10"));
  const whole = await countTurns(() => service.inject("/tools/errors?format=json"));
  const { errors, next } = whole.result.json<{ errors: { id: number }[]; next: string | null }>();
  assert.equal(new Set(errors.map(({ id }) => id)).size, ENTRIES);
  assert.deepEqual([errors.length, next], [ENTRIES, null]);
  assert.ok(whole.turns - page.turns >= ENTRIES / 500, `${whole.turns} turns, ${page.turns} for one page`);
  await remove();
});

async function countTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let ticking = true;
  const ticked = (async () => {
    for (; ticking; turns++) await nextTurn();
  })();
  const result = await work();
  ticking = false;
  await ticked;
  return { result, turns };
}
