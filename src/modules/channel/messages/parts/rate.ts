import type { Place } from "../../report.ts";
import type { DatesRead, Range } from "./dates.ts";

/** What amounts have that do not say it themselves. */
export type AmountTerms = Pick<AmountRead, "currency" | "decimalPlaces" | "age">;

/** One amount as sent; it becomes minor units when its currency is known. */
export type AmountRead = {
  at: Place;
  tax: "before" | "after";
  guests: number;
  age: number;
  field: string;
  text: string;
  currency: string | undefined;
  decimalPlaces: number | undefined;
};

/** An additional guest's amount; `most` such guests. */
export type ExtraRead = AmountRead & { minAge: number | undefined; maxAge: number | undefined; most: number | undefined };

/** One `Rate`: amounts for a range of nights. `nights` above 1 is the price of a stay of that length; absent: that of its plan, else 1. */
export type Rate = AmountTerms & {
  at: Place;
  /** Absent: that of its line or plan. */
  category: string | undefined;
  /** Whether `InvCode` names the category, without an `InvTypeCode`. */
  byInvCode: boolean;
  dates: DatesRead;
  range: Range | undefined;
  nights: number | undefined;
  amounts: AmountRead[];
  extras: ExtraRead[];
  /** Whether it was refused for an amount without its number. */
  faulty: boolean;
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
  /** 0: for every stay; else only for some, and at least for so many nights. */
  narrowness: number;
};

/** Puts prices for fewer stays first, so that those for more win on the same nights. */
export function narrowestFirst<Item>(items: readonly Item[], ratesOf: (item: Item) => readonly Rate[]): readonly Item[] {
  const isAlike = items.every((item) => ratesOf(item).every(({ narrowness }) => narrowness === 0));
  return isAlike ? items : items.toSorted((a, b) => narrownessOf(ratesOf(b)) - narrownessOf(ratesOf(a)));
}

function narrownessOf(rates: readonly Rate[]): number {
  return rates.reduce((least, { narrowness }) => Math.min(least, narrowness), Number.MAX_SAFE_INTEGER);
}

/** Whether nothing was said of what anybody pays. */
export function isEmpty({ amounts, extras, faulty }: Rate): boolean {
  return amounts.length === 0 && extras.length === 0 && !faulty;
}
