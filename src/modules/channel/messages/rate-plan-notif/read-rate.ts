import { fieldMissing, invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import type { DatesRead } from "../parts/dates.ts";
import type { Rate } from "../parts/rate.ts";
import { dateRate, isPerPerson, readBaseAmount, readRate, unitNights } from "../parts/read-rate.ts";
import { MAX_STAY, parseWhole } from "../parts/values.ts";
import type { StaticRate } from "./rate-plan.ts";

const BOUNDS = ["Start", "End", "InvTypeCode", "InvCode"] as const;

/** Whether a `Rate` names no nights and no category. */
export function isUnbound({ attributes }: Reading): boolean {
  return BOUNDS.every((name) => attributes.get(name) === undefined);
}

/** Reads the `Rate` with the defaults of the plan's rates. */
export function readStaticRate(reading: Reading): StaticRate {
  return { at: reading.at, perPerson: undefined, mixed: false, priced: false, nights: nightsOf(reading), mealPlan: undefined };
}

/** Reads a dated `Rate`; the static rate fills what it leaves out, and the plan its dates. */
export function readDatedRate(reading: Reading, staticRate: StaticRate | undefined, planDates: DatesRead): Rate {
  const { perPerson, mealPlan, nights = 1 } = staticRate ?? {};
  const rate = { ...readRate(reading), nights: nightsOf(reading) ?? nights, perPerson, mealPlan };
  dateRate(rate, planDates, reading);
  return rate;
}

/** The length of stay of the amounts: `Duration="P3N"`, or `UnitMultiplier` days; `undefined`: neither. */
function nightsOf(reading: Reading): number | undefined {
  const { attributes, report, at } = reading;
  const duration = attributes.get("Duration");
  const units = unitNights(reading);
  if (duration === undefined) return attributes.get("UnitMultiplier") === undefined ? undefined : units;
  const nights = parseWhole(/^P(\d+)N$/.exec(duration.trim())?.[1] ?? "", MAX_STAY) || undefined;
  if (nights === undefined) report.error(invalidWord(duration, "Duration", `P1N to P${MAX_STAY}N`), at);
  return nights;
}

/** Reads the `Type` of the static rate's `BaseByGuestAmt`: 7 is per person, 25 per room; `strict` AlpineBits has no other. */
export function readBasis(rate: StaticRate, { attributes, report, at }: Reading, strict: boolean): void {
  const type = attributes.get("Type")?.trim();
  for (const name of ["AmountAfterTax", "AmountBeforeTax"]) {
    if (attributes.get(name) === undefined) continue;
    rate.priced = true;
    report.ignore(`BaseByGuestAmt/@${name} of the static rate`);
  }
  if (type === undefined) return;
  const perPerson = strict && !ALPINEBITS_TYPES.has(type) ? undefined : isPerPerson(type);
  if (perPerson === undefined) return report.error(invalidWord(type, "Type", strict ? "7, 25" : "7, 21, 25, 19"), at);
  rate.mixed ||= rate.perPerson !== undefined && rate.perPerson !== perPerson;
  rate.perPerson = perPerson;
}

const ALPINEBITS_TYPES: ReadonlySet<string> = new Set(["7", "25"]);

/** Reads a dated `BaseByGuestAmt`; when `strict` (AlpineBits) it must be above 0. */
export function readAmount(rate: Rate, reading: Reading, strict: boolean): void {
  const { attributes, report, at } = reading;
  const after = attributes.get("AmountAfterTax");
  readBaseAmount(rate, reading, strict ? "AmountAfterTax" : undefined);
  if (strict && after !== undefined && Number(after) === 0) report.error(invalidWord(after, "AmountAfterTax", "above 0"), at);
  if (strict && after === undefined && attributes.get("AmountBeforeTax") !== undefined) report.error(fieldMissing("AmountAfterTax"), at);
}
