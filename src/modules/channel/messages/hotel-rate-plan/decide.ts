import { type ExtraAmount, ageRangeKey } from "../../../../calendar/amounts.ts";
import { formatCount } from "../../../../web/parts/amount.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { tooManyValues } from "../../ota-error.ts";
import { mergeRanges, outerBounds, type NightRange } from "../parts/night-ranges.ts";
import { warnOfOmission, warnInPullResponse } from "../parts/pull.ts";
import { requestsChanges, createPlanFilter, type RatesQuery } from "./query.ts";
import { type RateRun, readStoredRates } from "./runs.ts";
import { writePlan } from "./write.ts";

export function decideRates(query: RatesQuery, context: DecisionContext): Decision {
  const { property, plans, today, horizon } = context;
  const isWanted = createPlanFilter(query);
  const requestedNights = mergeRanges(query, { first: today, last: horizon });
  const storedRuns = readStoredRates(context.pages, outerBounds(requestedNights));
  if (typeof storedRuns === "string") return refuseLargeQuery(context, storedRuns);
  let content = "";
  let [written, ranges] = [0, 0];
  if (context.dialect.pullsMayRequestChanges && requestsChanges(query)) warnInPullResponse(context, NO_CHANGES_TEXT);
  for (const [code, runs] of storedRuns) {
    const plan = plans.get(code);
    if (!isWanted(code, plan)) continue;
    const answeredRuns = runs.flatMap((run) => clipToRequested(run, requestedNights, context));
    if (answeredRuns.length === 0) continue;
    const currency = plan?.currency ?? answeredRuns[0]!.currency ?? property.currency;
    content += writePlan(
      { code, plan, currency, runs: answeredRuns.map((run) => withWritableExtras(run, currency, context)) },
      context.profile,
    );
    written += 1;
    ranges += answeredRuns.length;
  }
  return {
    summary: `${formatCount(written, "rate plan")} with ${formatCount(ranges, "range")} of nights returned`,
    // The schema requires a response to contain at least one plan.
    content: writeElement(
      "RatePlans",
      { HotelCode: property.code, HotelName: property.name },
      content || writeEmptyElement("RatePlan", {}),
    ),
  };
}

function refuseLargeQuery({ report }: DecisionContext, limit: string): Decision {
  report.error(tooManyValues(`requests more than ${limit}; request fewer nights, or specific rate plans`));
  return { summary: "" };
}

const NO_CHANGES_TEXT = "DateRange without Start and End requests changes, which are not tracked; all amounts were returned";

/** Returns the requested parts of a run, without values that the dialect can't express. */
function clipToRequested(run: RateRun, requested: readonly NightRange[], context: DecisionContext): RateRun[] {
  const { categories } = context;
  if (categories.get(run.category)?.status !== "active") return [];
  return requested.flatMap((range) => clipRun(run, range)).flatMap((part) => toWritableRun(part, context) ?? []);
}

function clipRun(run: RateRun, range: NightRange): RateRun[] {
  const first = Math.max(run.first, range.first);
  const last = Math.min(run.last, range.last);
  return first <= last ? [{ ...run, first, last }] : [];
}

function toWritableRun(run: RateRun, context: DecisionContext): RateRun | undefined {
  const { dialect, property } = context;
  const { maxCategoryCodeLength = Infinity } = dialect;
  const currency = run.currency ?? property.currency;
  if (run.category.length > maxCategoryCodeLength)
    return void warnOfOmission(context, `category ${run.category}, whose code has more than ${maxCategoryCodeLength} characters`);
  if (currency !== (dialect.onlyCurrency ?? currency)) return void warnOfOmission(context, `amounts in ${currency}`);
  return dialect.returnsGrossAmountsOnly ? withGrossAmounts(run, context) : run;
}

function withGrossAmounts(run: RateRun, context: DecisionContext): RateRun | undefined {
  const amountsWithoutAge = run.amounts.filter(({ key }) => ageRangeKey(key) === "");
  if (amountsWithoutAge.length < run.amounts.length) warnOfOmission(context, "amounts by age in years");
  if (amountsWithoutAge.length === 0) return undefined;
  const amounts = amountsWithoutAge.filter(({ key, minor }) => key.tax === "after" && minor > 0);
  if (amounts.length === 0) return void warnOfOmission(context, "amounts of 0 and amounts before tax");
  return { ...run, amounts, extras: grossExtras(run, context) };
}

/** Returns the additional-guest amounts that a response can contain, without the maximum number of such guests. */
function grossExtras({ extras }: RateRun, context: DecisionContext): ExtraAmount[] {
  const writableExtras = extras.filter(({ tax, maxAge }) => tax === "after" && maxAge !== 0);
  if (!extras.every((extra) => writableExtras.some((one) => isSameGuest(one, extra))))
    warnOfOmission(context, "additional-guest amounts that are before tax or have no age");
  return writableExtras.map(({ guests: _guests, ...extra }) => extra);
}

function withWritableExtras(run: RateRun, currency: string, context: DecisionContext): RateRun {
  if (!context.dialect.returnsGrossAmountsOnly || run.extras.length === 0 || (run.currency ?? currency) === currency) return run;
  warnOfOmission(context, "additional-guest amounts that are not in the rate plan's currency");
  return { ...run, extras: [] };
}

function isSameGuest(one: ExtraAmount, other: ExtraAmount): boolean {
  return one.age === other.age && one.minAge === other.minAge && one.maxAge === other.maxAge;
}
