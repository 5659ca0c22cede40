import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import type { Control } from "../parts/control.ts";
import type { DatesRead } from "../parts/dates.ts";
import type { Rate } from "../parts/rate.ts";

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
