import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { SourceLocation } from "../../report.ts";
import type { ParsedAmount, ParsedExtra, WeekdayRange, Rate } from "../../updates/update.ts";
import type { ParsedDates } from "./dates.ts";

export type AmountDefaults = Pick<ParsedAmount, "currency" | "decimalPlaces" | "age">;

/** Terms that an enclosing element sets for all amounts inside it. `perPerson` is undefined if the element doesn't set it. */
export type RateDefaults = AmountDefaults & { perPerson: boolean | undefined };

export type ParsedRate = Rate &
  AmountDefaults & {
    at: SourceLocation;
    /** If undefined, the rate applies to the category of its line or plan. */
    category: string | undefined;
    /** Whether `InvCode` names the category, without an `InvTypeCode`. */
    byInvCode: boolean;
    dates: ParsedDates;
    range: WeekdayRange | undefined;
    amounts: ParsedAmount[];
    extras: ParsedExtra[];
    /** Whether an error was reported because an amount has no number. */
    isFaulty: boolean;
    /** Whether the amounts are derived from a different plan's amounts. A warning was then reported. */
    isDerived: boolean;
    perPerson: boolean | undefined;
    mealPlan: string | undefined;
    narrowedBy: NarrowingAttribute[];
    /** How restricted the price is. 0 means that it applies to every stay; otherwise it is, for example, the minimum number of nights. */
    specificity: number;
  };

/** Sorts prices from the most to the least restricted, so that less restricted prices overwrite the others. */
export function mostSpecificFirst<Item>(items: readonly Item[], specificityOf: (item: Item) => number): readonly Item[] {
  return items.every((item) => specificityOf(item) === 0) ? items : items.toSorted((a, b) => specificityOf(b) - specificityOf(a));
}

export function isEmptyRate({ amounts, extras, isFaulty, isDerived }: ParsedRate): boolean {
  return amounts.length === 0 && extras.length === 0 && !isFaulty && !isDerived;
}

/** Whether a rate is derived but has no amounts, and therefore changes nothing. */
export function isUncomputedRate({ amounts, extras, isDerived }: ParsedRate): boolean {
  return isDerived && amounts.length === 0 && extras.length === 0;
}

/** Appends an item. Returns a new list for the first item, because `push` to an empty list reserves 17 elements and most lists have one. */
export function appendItem<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
