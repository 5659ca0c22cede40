import type { Attribute } from "./attributes.ts";
import { type Draft, type Stretch, write } from "./draft.ts";
import type { Assign } from "./operation.ts";
import { NOTHING, toCell, UNUSED } from "./page.ts";
import type { Runs } from "./runs.ts";

/**
 * The amounts of a night share one currency, and are all per person or all per room. An operation that changes these terms without
 * replacing the amounts removes the old ones: they would be read on the new terms.
 */
export function clearOtherTerms(draft: Draft, { values }: Assign, stretch: Stretch): void {
  for (const [column, value] of values) {
    if (value === undefined || (column !== "currency" && column !== "perPerson")) continue;
    const cell = toCell(draft.page, column, value);
    const held = draft.page.columns.get(column) ?? UNUSED;
    if (column === "currency") clearWhere(draft, stretch, { held, isOther: (one) => one !== NOTHING && one !== cell, isMeant: isMoney });
    else clearWhere(draft, stretch, { held, isOther: (one) => (one === NOTHING ? OF_THE_ROOM : one) !== cell, isMeant: isAmount });
  }
}

/** Amounts without a basis are per room. */
const OF_THE_ROOM = 0;

type Other = { held: Runs; isOther(cell: number): boolean; isMeant(column: Attribute): boolean };

/** Clears the columns that are meant on those nights of the stretch whose cell in `held` is another. */
export function clearWhere(draft: Draft, { from, to, days }: Stretch, { held, isOther, isMeant }: Other): void {
  for (let run = 0, start = 0; start <= to; start = held.ends[run++]!) {
    const part = { from: Math.max(from, start), to: Math.min(to, held.ends[run]! - 1), days };
    if (part.from > part.to || !isOther(held.cells[run]!)) continue;
    for (const column of draft.page.columns.keys()) if (isMeant(column)) write(draft, column, part, NOTHING);
  }
}

function isAmount(column: Attribute): boolean {
  return column.startsWith("amount:");
}

/** Whether a column has amounts. Extras are per guest on any basis. */
export function isMoney(column: Attribute): boolean {
  return column === "extras" || isAmount(column);
}
