import { MAX_STAY } from "../../limits.ts";
import { fieldMissing, invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import type { DatesRead } from "../parts/dates.ts";
import { refuseOtherBounds } from "../parts/other-names.ts";
import { parseWhole } from "../parts/parse.ts";
import type { RateRead } from "../parts/rate.ts";
import { dateRate, isPerPerson, readBaseAmount, readRate, termsOf, unitNights } from "../parts/read-rate.ts";
import type { StaticRate } from "./rate-plan.ts";

const BOUNDS = ["Start", "End", "InvTypeCode", "InvCode"] as const;

/** Whether a `Rate` names no nights and no category. */
export function isUnbound({ attributes }: Reading): boolean {
  return BOUNDS.every((name) => attributes.get(name) === undefined);
}

/** Reads the `Rate` with the defaults of the plan's rates. */
export function readStaticRate(reading: Reading): StaticRate {
  const stay = stayOf(reading);
  return { at: reading.at, perPerson: undefined, mixed: false, priced: false, stay, mealPlan: undefined, ...termsOf(reading) };
}

/** Reads a dated `Rate`; the static rate fills what it leaves out, and the plan its dates. */
export function readDatedRate(reading: Reading, staticRate: StaticRate | undefined, planDates: DatesRead): RateRead {
  const { perPerson, mealPlan, stay } = staticRate ?? {};
  const rate = { ...readRate(reading, staticRate), stay: stayOf(reading) ?? stay, perPerson, mealPlan };
  refuseOtherBounds(rate.category, rate.dates, reading);
  dateRate(rate, planDates, reading);
  return rate;
}

/** The length of stay of the amounts: `Duration="P3N"`, or `UnitMultiplier` days; `undefined`: neither. */
function stayOf(reading: Reading): number | undefined {
  const { attributes, report, at } = reading;
  const duration = attributes.get("Duration");
  const units = unitNights(reading);
  if (duration === undefined) return attributes.get("UnitMultiplier") === undefined ? undefined : units;
  const nights = parseWhole(/^P(\d+)N$/.exec(duration.trim())?.[1] ?? "", MAX_STAY) || undefined;
  if (nights === undefined) report.error(invalidWord(duration, "Duration", `P1N to P${MAX_STAY}N`), at);
  return nights;
}

/** AlpineBits has two of the charge types. */
export const ALPINEBITS_BASES: readonly string[] = ["7", "25"];

/** Reads what the static rate's `BaseByGuestAmt` says of amounts; its `Type` is one of `bases`. */
export function readBasis(rate: StaticRate, reading: Reading, bases: readonly string[]): void {
  const { attributes, report, at } = reading;
  const { currency, decimalPlaces } = termsOf(reading, rate);
  Object.assign(rate, { currency, decimalPlaces });
  const type = attributes.get("Type")?.trim();
  rate.priced ||= attributes.get("AmountAfterTax") !== undefined || attributes.get("AmountBeforeTax") !== undefined;
  if (type === undefined) return;
  if (!bases.includes(type)) return report.error(invalidWord(type, "Type", bases.join(", ")), at);
  const perPerson = isPerPerson(type);
  rate.mixed ||= rate.perPerson !== undefined && rate.perPerson !== perPerson;
  rate.perPerson = perPerson;
}

/** Reads a dated `BaseByGuestAmt` of AlpineBits: it has an amount after tax, above 0. */
export function readAlpineBitsAmount(rate: RateRead, reading: Reading): void {
  const { attributes, report, at } = reading;
  const after = attributes.get("AmountAfterTax");
  readBaseAmount(rate, reading, "AmountAfterTax");
  if (after !== undefined && Number(after) === 0) report.error(invalidWord(after, "AmountAfterTax", "above 0"), at);
  if (after === undefined && attributes.get("AmountBeforeTax") !== undefined) report.error(fieldMissing("AmountAfterTax"), at);
}
