import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, rateMessage, textOf } from "../../../../test/support/hotel.ts";

const control = (start: string, end: string, codes = 'InvTypeCode="DBL"') => `Start="${start}" End="${end}" ${codes}`;
const BAR = 'InvTypeCode="DBL" RatePlanCode="BAR"';

/** Returns the text of each cell, by row of the grid. */
async function rowsOf(service: TestApp, id: number): Promise<string[][]> {
  const { body } = await service.inject(`/dev/logs/${id}`);
  const [table = ""] = /<table class="grid change-grid">[^]*?<\/table>/.exec(body) ?? [];
  const rows = [...table.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) => [...row!.matchAll(/<t[hd][ >][^]*?<\/t[hd]>/g)]);
  return rows.map((cells) =>
    cells.map(([cell]) =>
      cell
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ),
  );
}

test("shows the old and new values of each night that a message changed", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: control("2026-11-21", "2026-11-22"), counts: [[2, 5]] }));
  const lines = [control("2026-11-21", "2026-11-21"), control("2026-11-24", "2026-11-24")];
  await postMessage(service, countMessage(...lines.map((one) => ({ control: one, counts: [[2, 3]] as const }))));
  assert.deepEqual(await rowsOf(service, 1), [["DBL available", "5", "5"]]);
  assert.deepEqual(await rowsOf(service, 2), [["DBL available", "was 5 3", "3"]]);
  const { body } = await service.inject("/dev/logs/2");
  assert.match(textOf({ body } as never), /November 2026 Sat 21 Tue 24 DBL/);
  assert.match(body, /<a href="\/inventories\?property=ALP&amp;category=DBL&amp;from=2026-11-24&amp;night=2026-11-24"><b>3<\/b><\/a>/);
  assert.match(textOf({ body } as never), /All changes as a list .* DBL – 2026-11-24 available nothing 3/);
});

test("limits the size of the grid for a long message and still lists all changes", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const dates = control("2026-11-21", "2027-02-28", BAR);
  await postMessage(service, rateMessage({ control: dates, currency: "EUR", amounts: ['NumberOfGuests="2" AmountAfterTax="120"'] }));
  const rows = await rowsOf(service, 1);
  const prices = rows.find(([head]) => head!.includes("2 adults"))!;
  assert.match(prices[0]!, /^DBL BAR amount .*, EUR$/);
  assert.deepEqual(
    prices.slice(1),
    Array.from({ length: 14 }, () => "120.00"),
  );
  const text = textOf(await service.inject("/dev/logs/1"));
  assert.match(text, /The grid shows the first 14 of 100 dates\. The list has all changes\./);
  assert.match(text, /DBL BAR 2026-11-21 to 2027-02-28 amount .* nothing 120\.00 EUR/);
});
