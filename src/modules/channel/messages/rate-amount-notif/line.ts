import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import type { Control } from "../parts/control.ts";
import type { Range } from "../parts/dates.ts";
import type { Rate } from "../parts/rate.ts";

/** One `RateAmountMessage`; `range` is read only where no rates have theirs, of nights whose amounts are removed. */
export type Line = { at: Place; control: Control | undefined; range: Range | undefined; rates: readonly Rate[] };

/** `overlay` replaces all amounts of the nights, `delta` only those sent, `remove` deletes them all. */
export type NotifType = "overlay" | "delta" | "remove";

export type RateAmounts = { hotel: HotelReference; type: NotifType; lines: readonly Line[] };

/** Whether every rate names a category. */
export function isNamedByRates(rates: readonly Rate[]): boolean {
  return rates.length > 0 && rates.every(({ category }) => category !== undefined);
}

/** Whether a rate is about a single room: `InvCode` beside the category that its line names. */
export function isOfRoom({ category, byInvCode }: Rate, control: Control | undefined): boolean {
  return byInvCode && control?.category !== undefined && control.category !== category;
}
