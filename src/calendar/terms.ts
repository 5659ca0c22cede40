import { type Draft, type Stretch, write } from "./draft.ts";
import { weekdayBit } from "./night.ts";
import { type Assign, type Column, EVERY_DAY } from "./operation.ts";
import { type Cells, NOTHING, toCell } from "./page.ts";

/**
 * The amounts of a night are in one currency, and all per person or all of the room. What sets another of these without
 * replacing them all takes away what was held on the old terms, as it would else be read on the new ones.
 */
export function clearOtherTerms(draft: Draft, { values }: Assign, stretch: Stretch): void {
  for (const [column, value] of values) {
    if (value === undefined || (column !== "currency" && column !== "perPerson")) continue;
    const held = draft.page.columns.get(column);
    const cell = toCell(draft.page, column, value);
    if (column === "currency")
      clearWhere(draft, stretch, { isOther: (night) => isSet(held, night) && held?.[night] !== cell, isMeant: isMoney });
    else clearWhere(draft, stretch, { isOther: (night) => (isSet(held, night) ? held![night] : OF_THE_ROOM) !== cell, isMeant: isAmount });
  }
}

/** Amounts of which nobody said what they are for are the room's. */
const OF_THE_ROOM = 0;

function isSet(cells: Cells | undefined, night: number): boolean {
  return cells !== undefined && cells[night] !== NOTHING;
}

type Other = { isOther(night: number): boolean; isMeant(column: Column): boolean };

function clearWhere(draft: Draft, { from, to, days }: Stretch, { isOther, isMeant }: Other): void {
  for (let night = from; night <= to; night++) {
    if ((days & weekdayBit(draft.page.first + night)) === 0 || !isOther(night)) continue;
    const one = { from: night, to: night, days: EVERY_DAY };
    for (const column of draft.page.columns.keys()) if (isMeant(column)) write(draft, column, one, NOTHING);
  }
}

function isAmount(column: Column): boolean {
  return column.startsWith("amount:");
}

/** What one more guest pays is per guest anyway. */
function isMoney(column: Column): boolean {
  return column === "extras" || isAmount(column);
}
