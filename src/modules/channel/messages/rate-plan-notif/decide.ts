import type { Operation } from "../../../../calendar/operation.ts";
import { parsePlanDetails, type PlanDetails } from "../../../../journal/plan-details.ts";
import type { PlanSighting, StoredPlan } from "../../../../journal/work.ts";
import { countedEach } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Place } from "../../report.ts";
import { taxesOf } from "../../updates/amounts.ts";
import { DecisionBuilder } from "../../updates/decision-builder.ts";
import { mergeDetails, titleOf } from "./details.ts";
import { isReset, type KnownPlan, type Planned, type PlanRead, type RatePlans, type StaticRate } from "./rate-plan.ts";
import { ratesUpdates } from "./rates.ts";
import { planRules } from "./rules.ts";

/** Turns rate plans into operations on nights and records of the plans. */
export function decideRatePlans(read: RatePlans, context: DecisionContext): Decision {
  const builder = new DecisionBuilder(context);
  const soFar: SoFar = { told: new Map(), removed: new Set(read.completeSet ? removeOthers(builder, read) : []), cleared: new Map() };
  const plans = isReset(read) ? [] : read.plans;
  for (const plan of plans) decidePlan(builder, plan, { read, soFar });
  const { told, removed } = soFar;
  const built = builder.finish();
  const taxes = taxesOf(builder.operations);
  return {
    summary: summaryOf(read, built.summary),
    operations: built.operations,
    plans: [
      ...removed.values().map(removedPlan),
      ...told.entries().map(([code, one]) => ({ ...sightingOf(code, one, context), taxes: taxes.get(code) ?? taxesLeft(one) })),
    ],
    completeSet: read.completeSet ? "rate plans" : undefined,
  };
}

/** Removes the plans that a set omits, and answers their codes. */
function removeOthers(builder: DecisionBuilder, read: RatePlans): string[] {
  const listed = new Set(read.plans.map(({ code }) => code));
  const others = [...builder.context.plans.values()].filter(({ code, status }) => !listed.has(code) && status !== "removed");
  for (const { code } of others) builder.operations.push(clearOf(code, builder.context));
  return others.map(({ code }) => code);
}

function clearOf(code: string, { today }: DecisionContext): Operation {
  return { type: "clear", kind: "rate", groups: ["amounts", "restrictions"], lane: code, from: today };
}

/**
 * What elements of the message said of a plan so far; `whole` when one of them replaced it. Their details are merged with those it had
 * only once, behind the last of them: each merge takes as long as the details are.
 */
type Told = { whole: boolean; known: KnownPlan; details: string | null; sent: Partial<PlanDetails>[] };

/** `cleared` has the plans whose nights were cleared, and whether none was set since. */
type SoFar = { told: Map<string, Told>; removed: Set<string>; cleared: Map<string, boolean> };

/** A plan may come in several elements: only the first of those that replace it clears what it had. */
function decidePlan(builder: DecisionBuilder, plan: PlanRead, { read, soFar }: { read: RatePlans; soFar: SoFar }): void {
  const { code, type, at } = plan;
  const { told, cleared } = soFar;
  const { context, operations } = builder;
  if (code === undefined || type === undefined) return;
  const earlier = told.get(code);
  const stored = context.plans.get(code);
  if (type === "remove") {
    told.delete(code);
    return removePlan(builder, { code, at, status: earlier ? "active" : stored?.status }, soFar);
  }
  const replaces = type === "full" || read.completeSet;
  const full = replaces && !earlier?.whole;
  const whole = replaces || earlier?.whole === true;
  // A whole plan may be new; the others must name one that may be used.
  if (replaces) builder.targets.addPlan(code);
  else if (!earlier) builder.targets.plan(code, plan.rates[0]?.category, at);
  if (full) clearPlan(builder, code, cleared);
  const { length } = operations;
  const before = full ? toldOf(undefined) : (earlier ?? toldOf(soFar.removed.has(code) ? undefined : stored));
  const planned = { plan, code, whole, before: before.known };
  for (const update of ratesUpdates(planned)) builder.apply(update);
  planRules(builder, planned);
  if (operations.length > length && cleared.has(code)) cleared.set(code, false);
  before.sent.push(plan.details);
  told.set(code, { ...before, whole, known: knowledgeOf(planned, context) });
}

/** All categories are gone through for it, so that clearing a plan again counts as a line for all of them. */
function clearPlan({ context, operations, targets }: DecisionBuilder, code: string, cleared: SoFar["cleared"]): void {
  if (cleared.get(code)) return;
  if (cleared.has(code)) targets.countWide();
  cleared.set(code, true);
  operations.push(clearOf(code, context));
}

/** A removed plan keeps its name alone, so that one that is told later under its code does not take over its terms and texts. */
function removedPlan(code: string): PlanSighting {
  return { code, status: "removed", currency: null, price_basis: null, meal_plan: null, taxes: null, details: null };
}

/** `status`: what the plan is before. */
type Removal = { code: string; at: Place; status: string | undefined };

function removePlan(builder: DecisionBuilder, { code, at, status }: Removal, { removed, cleared }: SoFar): void {
  if (status === undefined || status === "removed")
    builder.context.report.warn(note(`rate plan ${code} is not known: nothing was removed`), at);
  if (status === undefined) return;
  clearPlan(builder, code, cleared);
  removed.add(code);
}

function toldOf(stored: StoredPlan | undefined): Told {
  const { name = null, currency = null, price_basis = null, meal_plan = null, details = null } = stored ?? {};
  const { nights } = parsePlanDetails(details);
  return { whole: false, known: { name, currency, price_basis, meal_plan, nights }, details, sent: [] };
}

/** What is known of a plan after an element; a full plan drops what it does not repeat. */
function knowledgeOf({ plan, before }: Planned, { property }: DecisionContext): KnownPlan {
  const { staticRate, currency, details } = plan;
  return {
    name: titleOf(details, property) ?? before.name,
    currency: staticRate?.currency ?? currency ?? before.currency,
    price_basis: basisOf(staticRate) ?? before.price_basis,
    meal_plan: staticRate?.mealPlan ?? before.meal_plan,
    nights: details.nights ?? before.nights,
  };
}

function sightingOf(code: string, { known, details, sent }: Told, { today }: DecisionContext): PlanSighting {
  const { name, currency, price_basis, meal_plan } = known;
  const news = sent.filter((one) => Object.keys(one).length > 0);
  const merged = news.length === 0 ? details : JSON.stringify(mergeDetails(parsePlanDetails(details), news, today));
  return { code, name, currency, price_basis, meal_plan, details: merged, status: "active" };
}

/** Of a whole plan without amounts nobody knows how they will be told; others keep what was known. */
function taxesLeft({ whole }: Told): null | undefined {
  return whole ? null : undefined;
}

function basisOf(rate: StaticRate | undefined): string | undefined {
  if (rate?.perPerson === undefined) return undefined;
  return rate.perPerson ? "person" : "room";
}

function summaryOf(read: RatePlans, summary: string): string {
  if (isReset(read) || read.plans.length === 0) return "Reset: every rate plan was removed";
  const named = read.plans.slice(0, 3).map(({ code, type, details: { supplements = [], offers = [] } }) => {
    return `${code} (${[type, countedEach({ supplement: supplements, offer: offers })].filter(Boolean).join(", ")})`;
  });
  const more = read.plans.length > 3 ? " and more" : "";
  const nights = read.plans.every(({ type }) => type === "remove") ? "" : `: ${summary}`;
  return `${read.completeSet ? "Complete set of rate plans" : "Rate plans"} ${named.join(", ")}${more}${nights}`;
}
