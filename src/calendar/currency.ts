import { type Draft, type Stretch, write } from "./draft.ts";
import { weekdayBit } from "./night.ts";
import { type Assign, type Column, EVERY_DAY } from "./operation.ts";
import { NOTHING, toCell } from "./page.ts";

/**
 * The amounts of a night are in one currency. What sets another one without replacing them all takes away those in the old
 * one, as they would else be read in the new.
 */
export function clearOtherCurrency(draft: Draft, { values }: Assign, stretch: Stretch): void {
  const held = draft.page.columns.get("currency");
  const currency = held && values.find(([column]) => column === "currency")?.[1];
  if (!held || currency === undefined) return;
  const cell = toCell(draft.page, "currency", currency);
  for (let night = stretch.from; night <= stretch.to; night++) {
    const isOther = held[night] !== NOTHING && held[night] !== cell && (stretch.days & weekdayBit(draft.page.first + night)) !== 0;
    if (isOther) clearMoney(draft, night);
  }
}

function clearMoney(draft: Draft, night: number): void {
  const change = { stretch: { from: night, to: night, days: EVERY_DAY }, cell: NOTHING };
  for (const column of draft.page.columns.keys()) if (isMoney(column)) write(draft, column, change);
}

function isMoney(column: Column): boolean {
  return column === "extras" || column.startsWith("amount:");
}
