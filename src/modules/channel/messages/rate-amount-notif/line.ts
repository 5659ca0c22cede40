import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import type { Control } from "../parts/control.ts";
import type { DatesRead, Span } from "../parts/dates.ts";

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

/** An additional guest's amount, kept as it came: ages and numbers as sent. */
export type ExtraRead = AmountRead & { minAge: string | undefined; maxAge: string | undefined; most: string | undefined };

/** One `Rate`: amounts for a range of nights. `nights` above 1 is the price of a stay of that length. */
export type Rate = {
  at: Place;
  /** Absent: that of its line, or of its plan. */
  category: string | undefined;
  /** The category is named by `InvCode`, in want of an `InvTypeCode`. */
  byInvCode: boolean;
  dates: DatesRead;
  span: Span | undefined;
  nights: number;
  currency: string | undefined;
  /** What its amounts have unless they say otherwise. */
  decimalPlaces: number | undefined;
  age: number;
  amounts: AmountRead[];
  extras: ExtraRead[];
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
};

/** One `RateAmountMessage`; `dates` are those of the control, which its rates have unless they have their own. */
export type Line = { at: Place; control: Control | undefined; dates: DatesRead | undefined; rates: readonly Rate[] };

/** `overlay` replaces every amount of the nights named, `delta` those named, `remove` takes all away. */
export type NotifType = "overlay" | "delta" | "remove";

export type RateAmounts = { hotel: HotelReference; type: NotifType; lines: readonly Line[] };

/** Whether no rate depends on its line for a category. */
export function isNamedByRates(rates: readonly Rate[]): boolean {
  return rates.length > 0 && rates.every(({ category }) => category !== undefined);
}

/** Whether a rate is about a single room: `InvCode` beside the category that its line names. */
export function isOfRoom({ category, byInvCode }: Rate, control: Control | undefined): boolean {
  return byInvCode && control?.category !== undefined && control.category !== category;
}
