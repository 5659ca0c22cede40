import { ADULT, type AmountKey, otherSideOf, parseAmount } from "../../../../calendar/amounts.ts";
import type { AttributeValue } from "../../../../calendar/attributes.ts";
import { readableAmount } from "../../../../calendar/money.ts";
import type { Assign } from "../../../../calendar/operation.ts";
import { note } from "../../ota-error.ts";
import type { Place } from "../../report.ts";
import type { Amounts } from "./amounts.ts";
import type { Rate } from "./rate.ts";
import type { Sheet, Target } from "./sheet.ts";
import { rateName } from "./summary.ts";

/** Sets amounts on nights; `replace` as in `Assign`. */
export function planAmounts(sheet: Sheet, target: Target & Pick<Assign, "replace">, amounts: Amounts): void {
  if (!target.replace) clearOtherSides(sheet, target, amounts);
  sheet.assign(target, { group: "amounts", values: amounts, replace: target.replace });
  const name = rateName(target.category, target.lane);
  const isCrossed = sheet.overlaps(name, target.range);
  const extras = amounts.get("extras");
  if (extras !== undefined) noteExtras(sheet, name, { extras, isCrossed });
  sheet.summary.what ??= wordsOf(amounts);
  sheet.summary.add(name, target.range);
}

/**
 * A delta that tells an amount before tax alone, or after it alone, takes its other side away, which is that of the old amount. It does so
 * before the message, as another of its lines may tell it.
 */
function clearOtherSides({ ahead }: Sheet, { category, lane, range }: Target, amounts: Amounts): void {
  let values: Amounts | undefined;
  for (const column of amounts.keys()) {
    const other = otherSideOf(column);
    if (other && !amounts.has(other)) values = (values ?? new Map()).set(other, undefined);
  }
  if (values) ahead.push({ type: "assign", kind: "rate", category, lane, ...range, group: "amounts", replace: false, values });
}

/** Amounts of overlapping lines add up, but a list of additional guests is taken as a whole. Only the log says so: lines may be in no order. */
function noteExtras(
  { context, extras: lists }: Sheet,
  name: string,
  { extras, isCrossed }: { extras: AttributeValue; isCrossed: boolean },
): void {
  if (isCrossed && (lists.get(name) ?? extras) !== extras)
    context.report.advise(`additional guests of ${name}: where lines overlap the list of the later one was stored`);
  lists.set(name, extras);
}

/** The most guests among a rate's amounts. */
export function mostGuests({ amounts }: Rate): number {
  return amounts.reduce((most, { guests }) => Math.max(most, guests), 0);
}

/** Warns of amounts for more guests than the category takes. */
export function warnOfGuests({ context }: Sheet, category: string, { guests, at }: { guests: number; at: Place }): void {
  const most = context.categories.get(category)!.max_occupancy;
  if (guests > most) context.report.warn(note(`amounts for ${guests} guests were stored; ${category} takes ${most}`), at);
}

/** The first four amounts of a line in words, for the log. */
function wordsOf(amounts: Amounts): string {
  const currency = String(amounts.get("currency") ?? "");
  const words: string[] = [];
  for (const [column, value] of amounts) {
    const key = parseAmount(column);
    if (key && words.length < 4) words.push(`${guestsOf(key)} ${readableAmount(Number(value), currency)}${termsOf(key)}`);
  }
  if (words.length === 0 && amounts.size > 0) return amounts.has("extras") ? `additional guests ${currency}` : "meals";
  return words.length === 0 ? "amounts removed" : `${words.join(", ")} ${currency}`;
}

/** By OpenTravel list AQC. */
const GUESTS: Readonly<Record<number, readonly [one: string, many: string]>> = {
  7: ["infant", "infants"],
  8: ["child", "children"],
  [ADULT]: ["guest", "guests"],
};

function guestsOf({ guests, age }: AmountKey): string {
  const [one, many] = GUESTS[age] ?? [`guest of age code ${age}`, `guests of age code ${age}`];
  if (guests === 0) return age === ADULT ? "room" : many;
  return `${guests} ${guests === 1 ? one : many}`;
}

function termsOf({ tax, nights }: AmountKey): string {
  return `${tax === "before" ? " before tax" : ""}${nights > 1 ? ` for ${nights} nights` : ""}`;
}
