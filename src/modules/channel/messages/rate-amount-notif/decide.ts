import type { PlanMention } from "../../../../journal/work.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { amountsOf, warnOfOtherCurrency } from "../parts/amounts.ts";
import { type Range, rangeKey } from "../parts/dates.ts";
import { mostGuests, planAmounts, warnOfGuests } from "../parts/plan-amounts.ts";
import { narrowestFirst, type Rate } from "../parts/rate.ts";
import { Sheet } from "../parts/sheet.ts";
import { isNamedByRates, isOfRoom, type Line, type NotifType, type RateAmounts } from "./line.ts";
import { type Together, together } from "./together.ts";

/** Turns amounts into operations on nights. */
export function decideRateAmounts({ lines, type }: RateAmounts, context: DecisionContext): Decision {
  const sheet = new Sheet(context);
  for (const line of narrowestFirst(apart(lines), ({ rates }) => rates)) planLine(sheet, line, type);
  const decision = sheet.close({ completeSet: false, reset: false });
  return type === "remove" ? { ...decision, plans: knownPlans(decision, context) } : decision;
}

/** Takes lines apart whose prices are for more and for fewer stays: each gives way by itself. */
function apart(lines: readonly Line[]): readonly Line[] {
  return lines.every(isAlike) ? lines : lines.flatMap((line) => (isAlike(line) ? [line] : byNarrowness(line)));
}

function isAlike({ rates }: Line): boolean {
  return rates.every(({ narrowness }) => narrowness === rates[0]!.narrowness);
}

function byNarrowness(line: Line): Line[] {
  return [...Map.groupBy(line.rates, ({ narrowness }) => narrowness).values()].map((rates) => ({ ...line, rates }));
}

/** Removing amounts adds no plan and sells no removed one again. */
function knownPlans({ plans = [] }: Decision, context: DecisionContext): PlanMention[] {
  return plans.filter(({ code }) => context.plans.has(code)).map(({ code }) => ({ code }));
}

/** Nights of a line; `common` are the categories that it names itself, `usable` says whether its plan can be. */
type Dated = Nights & { line: Line; common: readonly string[]; usable: boolean };

function planLine(sheet: Sheet, line: Line, type: NotifType): void {
  const { control, at } = line;
  if (!control || control.block) return;
  const common = control.category === undefined && isNamedByRates(line.rates) ? [] : sheet.targets.categories(control.category, at);
  const usable = control.plan === undefined || sheet.targets.plan(control.plan, control.category, at);
  for (const nights of nightsOf(line)) planNights(sheet, { line, common, usable, ...nights }, type);
}

function planNights(sheet: Sheet, { line, common, usable, category: own, range, rates, again }: Dated, type: NotifType): void {
  // What is wrong with them is told already.
  if (again && sheet.context.report.refused) return;
  const { at } = line;
  const control = line.control!;
  const amounts = type === "remove" ? new Map() : amountsOf(rates, sheet.context);
  const guests = Math.max(0, ...rates.map(mostGuests));
  const categories = own === control.category ? common : sheet.targets.categories(own, at);
  const clipped = range && sheet.clipper.clip(range, at);
  if (!clipped || !usable || control.room !== undefined) return;
  if (type === "delta") warnOfOtherCurrency(amounts, sheet.context, at);
  for (const category of categories) {
    warnOfGuests(sheet, category, { guests, at });
    const target = { category, lane: control.plan ?? "", range: clipped, replace: type !== "delta" && ("older" as const) };
    if (again) sheet.assign(target, { group: "amounts", values: amounts, replace: target.replace });
    else planAmounts(sheet, target, amounts);
  }
}

type Nights = Together & { category: string | undefined; range: Range | undefined };

/** The nights of a line; its rates for the same category and nights are applied together. */
function nightsOf(line: Line): readonly Nights[] {
  const { rates, control, range } = line;
  if (range) return [{ category: control!.category, range, rates, again: false }];
  const own = rates.filter((rate) => !isOfRoom(rate, control));
  const alike = own.length > 1 ? together(own, (rate) => `${categoryOf(line, rate) ?? ""} ${rangeKey(rate)}`) : alone(own);
  return alike.map((same) => nightsFor(line, same));
}

/** Most lines have one rate, which needs no key. */
function alone(rates: readonly Rate[]): Together[] {
  return rates.map((rate) => ({ rates: [rate], again: false }));
}

function nightsFor(line: Line, same: Together): Nights {
  const rate = same.rates[0]!;
  return { ...same, category: categoryOf(line, rate), range: rate.range };
}

function categoryOf({ control }: Line, rate: Rate): string | undefined {
  return rate.category ?? control!.category;
}
