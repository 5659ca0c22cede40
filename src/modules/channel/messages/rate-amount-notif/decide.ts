import type { PlanSighting } from "../../../../journal/work.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { addAmounts, type Amounts, warnOfOtherCurrency } from "../parts/amounts.ts";
import { type Range, rangeKey, rangeOf } from "../parts/dates.ts";
import { mostGuests, planAmounts, warnOfGuests } from "../parts/plan-amounts.ts";
import { closeSheet, newSheet, type Sheet } from "../parts/sheet.ts";
import { isNamedByRates, isOfRoom, type Line, type NotifType, type RateAmounts } from "./line.ts";

/** Turns amounts into operations on nights. */
export function decideRateAmounts({ lines, type }: RateAmounts, context: DecisionContext): Decision {
  const sheet = newSheet(context);
  for (const line of lines) planLine(sheet, line, type);
  const decision = closeSheet(sheet, { completeSet: false, reset: false });
  return type === "remove" ? { ...decision, plans: knownPlans(decision, context) } : decision;
}

/** Removing amounts adds no plan and sells no removed one again. */
function knownPlans({ plans = [] }: Decision, context: DecisionContext): PlanSighting[] {
  return plans.filter(({ code }) => context.plans.has(code)).map(({ code }) => ({ code }));
}

function planLine(sheet: Sheet, line: Line, type: NotifType): void {
  const { control, at } = line;
  if (!control || control.block) return;
  const common = control.category === undefined && isNamedByRates(line.rates) ? [] : sheet.targets.categories(control.category, at);
  const usable = control.plan === undefined || sheet.targets.plan(control.plan, control.category, at);
  for (const { category: own, range, amounts, guests } of nightsOf(sheet.context, line, type)) {
    const categories = own === control.category ? common : sheet.targets.categories(own, at);
    const clipped = range && sheet.clipper.clip(range, at);
    if (!clipped || !usable || control.room !== undefined) continue;
    if (type === "delta") warnOfOtherCurrency(amounts, sheet.context, at);
    for (const category of categories) {
      warnOfGuests(sheet, category, { guests, at });
      planAmounts(sheet, { category, lane: control.plan ?? "", range: clipped, replace: type !== "delta" }, amounts);
    }
  }
}

type Nights = { category: string | undefined; range: Range | undefined; amounts: Amounts; guests: number };

/** Rates of a line for the same category and nights are merged: a later one adds to an earlier one, such as another length of stay. */
function nightsOf(context: DecisionContext, line: Line, type: NotifType): readonly Nights[] {
  if (type === "remove" && line.rates.length === 0) {
    const range = rangeOf(line.dates!, { report: context.report, at: line.at });
    return [{ category: line.control!.category, range, amounts: new Map(), guests: 0 }];
  }
  const found = new Map<string, Nights>();
  for (const rate of line.rates) {
    if (isOfRoom(rate, line.control)) continue;
    const category = rate.category ?? line.control!.category;
    const key = `${category ?? ""} ${rangeKey(rate)}`;
    const nights = found.getOrInsertComputed(key, () => ({ category, range: rate.range, amounts: new Map(), guests: 0 }));
    if (type !== "remove") addAmounts(nights.amounts, rate, context);
    nights.guests = Math.max(nights.guests, mostGuests(rate));
  }
  return [...found.values()];
}
