import { type Dialect, isStrict } from "../../dialects.ts";
import { fieldMissing, note, ruleBroken } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import { dateRangeOf } from "../parts/dates.ts";
import { isEmpty } from "../parts/rate.ts";
import { isReset, type PlanRead, type RatePlans } from "./rate-plan.ts";

/** Checks a message by itself; in the AlpineBits dialect also by the rules of RatePlans. */
export function checkRatePlans(read: RatePlans, dialect: Dialect, report: Report): void {
  const emptyAllowed = read.completeSet && !isStrict(dialect);
  if (read.plans.length === 0 && !emptyAllowed) report.error(fieldMissing("RatePlan"), read.hotel.at);
  if (isReset(read)) return;
  for (const plan of read.plans) checkPlan(plan, dialect, report);
}

function checkPlan(plan: PlanRead, dialect: Dialect, report: Report): void {
  const { at, code, type, dates, staticRate, rates } = plan;
  const strict = isStrict(dialect);
  if (code === undefined) report.error(fieldMissing("RatePlanCode"), at);
  dateRangeOf(dates, { report, at });
  if (strict && type === undefined) report.error(fieldMissing("RatePlanNotifType"), at);
  if (staticRate?.mixed) report.error(ruleBroken("The static rate mixes amounts per person and per room"), staticRate.at);
  if (strict && type === "full") checkStaticRate(plan, report);
  if (type !== "remove" && staticRate?.priced) {
    if (!strict && rates.length === 0) report.error(fieldMissing("Start"), staticRate.at);
    else report.warn(note("amounts of the static rate are not stored: they have no nights"), staticRate.at);
  }
  for (const rate of rates) {
    const inherited = rate.mealPlan === staticRate?.mealPlan;
    if (isEmpty(rate) && inherited && type !== "remove") report.error(fieldMissing("BaseByGuestAmt"), rate.at);
  }
}

function checkStaticRate({ at, staticRate }: PlanRead, report: Report): void {
  if (!staticRate) report.error(fieldMissing("the static Rate, without dates and InvTypeCode, as the first of a full rate plan"), at);
  else if (staticRate.perPerson === undefined) report.error(fieldMissing("Type of the static Rate's BaseByGuestAmt"), staticRate.at);
}
