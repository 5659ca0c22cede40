import { formatAmount } from "../../../../calendar/money.ts";
import { type AmountKey, parseAmountColumn } from "../../../../calendar/operation.ts";
import type { PlanSighting } from "../../../../journal/work.ts";
import type { Decision, Scene } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { type Span, spanKey, spanOf } from "../parts/dates.ts";
import { conclude, newPlan, type Plan as SharedPlan } from "../parts/plan.ts";
import { addAmounts, type Amounts, warnOfOtherCurrency } from "./amounts.ts";
import { isNamedByRates, isOfRoom, type Line, type NotifType, type Rate, type RateAmounts } from "./line.ts";

type Plan = SharedPlan & { type: NotifType };

/** Turns amounts into operations on nights. */
export function decideRateAmounts(read: RateAmounts, scene: Scene): Decision {
  const plan = { ...newPlan(scene), type: read.type };
  for (const line of read.lines) planLine(plan, line);
  const decision = conclude(plan, { completeSet: false, reset: false });
  return plan.type === "remove" ? { ...decision, plans: knownPlans(decision, scene) } : decision;
}

/** Whoever takes amounts away makes no plan known, and sells none again. */
function knownPlans({ plans = [] }: Decision, scene: Scene): PlanSighting[] {
  return plans.filter(({ code }) => scene.plans.has(code)).map(({ code }) => ({ code }));
}

function planLine(plan: Plan, line: Line): void {
  const { control, at } = line;
  if (!control || control.block) return;
  const common = control.category === undefined && isNamedByRates(line.rates) ? [] : plan.targets.categories(control.category, at);
  const usable = control.plan === undefined || plan.targets.plan(control.plan, control.category, at);
  for (const { category: own, span, amounts, guests } of nightsOf(plan, line)) {
    const categories = own === control.category ? common : plan.targets.categories(own, at);
    const clipped = span && plan.clipper.clip(span, at);
    if (!clipped || !usable || control.room !== undefined) continue;
    if (plan.type === "delta") warnOfOtherCurrency(amounts, plan.scene, at);
    for (const category of categories) {
      warnOfGuests(plan, line, { category, guests });
      planAmounts(plan, { category, lane: control.plan ?? "", span: clipped }, amounts);
    }
  }
}

type Nights = { category: string | undefined; span: Span | undefined; amounts: Amounts; guests: number };

/** The rates of a line that are about the same nights of the same category are one: a later one adds to an earlier, such as another length of stay. */
function nightsOf(plan: Plan, line: Line): readonly Nights[] {
  const { scene, type } = plan;
  if (type === "remove" && line.rates.length === 0) {
    return [
      { category: line.control!.category, span: spanOf(line.dates!, { report: scene.report, at: line.at }), amounts: new Map(), guests: 0 },
    ];
  }
  const found = new Map<string, Nights>();
  for (const rate of line.rates) {
    if (isOfRoom(rate, line.control)) continue;
    const category = rate.category ?? line.control!.category;
    const key = `${category ?? ""} ${spanKey(rate.span)}`;
    const nights = found.get(key) ?? { category, span: rate.span, amounts: new Map(), guests: 0 };
    if (type !== "remove") addAmounts(nights.amounts, rate, scene);
    nights.guests = Math.max(nights.guests, mostGuests(rate));
    found.set(key, nights);
  }
  return [...found.values()];
}

function mostGuests({ amounts }: Rate): number {
  return amounts.reduce((most, { guests }) => Math.max(most, guests), 0);
}

function planAmounts(plan: Plan, { category, lane, span }: { category: string; lane: string; span: Span }, amounts: Amounts): void {
  const { first, last, days } = span;
  const replace = plan.type !== "delta";
  plan.operations.push({
    type: "assign",
    kind: "rate",
    category,
    lane,
    first,
    last,
    days,
    group: "amounts",
    replace,
    values: [...amounts],
  });
  const name = lane === "" ? category : `${category}/${lane}`;
  plan.overlaps(name, span);
  plan.summary.what ??= wordsOf(amounts);
  plan.summary.add(name, span);
}

function warnOfGuests({ scene }: Plan, { at }: Line, { category, guests }: { category: string; guests: number }): void {
  const most = scene.categories.get(category)!.max_occupancy;
  if (guests > most) scene.report.warn(note(`amounts for ${guests} guests were stored; ${category} takes ${most}`), at);
}

/** The first four amounts of a line in words, for the log. */
export function wordsOf(amounts: Amounts): string {
  const currency = String(amounts.get("currency") ?? "");
  const words: string[] = [];
  for (const [column, value] of amounts) {
    const key = parseAmountColumn(column);
    if (key && words.length < 4) words.push(`${guestsOf(key)} ${formatAmount(Number(value), currency)}`);
  }
  if (words.length === 0 && amounts.size > 0) return amounts.has("extras") ? `additional guests ${currency}` : "meals";
  return words.length === 0 ? "amounts removed" : `${words.join(", ")} ${currency}`;
}

function guestsOf({ guests }: AmountKey): string {
  if (guests === 0) return "room";
  return guests === 1 ? "1 guest" : `${guests} guests`;
}
