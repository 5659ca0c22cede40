import type { Group } from "../../../../calendar/attributes.ts";
import type { Operation } from "../../../../calendar/operation.ts";
import { parsePlanDetails, type PlanDetails } from "../../../../journal/plan-details.ts";
import type { PlanMention, StoredPlan } from "../../../../journal/work.ts";
import { listCounts } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { SourceLocation } from "../../report.ts";
import { toOurCode } from "../../senders/codes.ts";
import { DecisionBuilder } from "../../updates/decision-builder.ts";
import { Narrowings } from "../../updates/narrowing.ts";
import { isUncomputedRate, type ParsedRate } from "../parts/rate.ts";
import { mergeDetails, chooseTitle } from "./details.ts";
import {
  isReset,
  type KnownPlan,
  collectLimits,
  type PlanContext,
  type ParsedPlan,
  type RatePlans,
  type PlanRule,
  planTarget,
} from "./rate-plan.ts";
import { ratesUpdates } from "./rates.ts";
import { applyRules } from "./rules.ts";

/** Converts rate plans into operations on nights and updates to plan records. */
export function decideRatePlans(read: RatePlans, context: DecisionContext): Decision {
  const narrowings = new Narrowings(context, collectLimits(read.plans));
  const plans = read.plans.flatMap((plan) => applicableParts(plan, narrowings));
  const appliesHere = read.plans.length === 0 || plans.length > 0;
  const builder = new DecisionBuilder(context);
  for (const { code, rules } of plans)
    for (const { category, restrictions } of rules) builder.stays.note({ category, plan: code }, restrictions, restrictions);
  const removedPlans = read.completeSet && appliesHere ? removeOmitted(builder, read) : [];
  const progress: PlanProgress = { drafts: new Map(), removed: new Set(removedPlans), cleared: new Map() };
  if (!isReset(read)) for (const plan of plans) decidePlan(builder, plan, { read, progress });
  const { summary, operations, taxes } = builder.finish();
  return {
    summary: planSummary(read, summary, context),
    operations,
    plans: [
      ...progress.removed.values().map(removedPlanMention),
      // A full plan without amounts also clears the stored tax sides.
      ...progress.drafts.entries().map(([code, draft]) => ({
        ...toMention(code, draft, context),
        taxes: taxes.get(code) ?? (draft.resetsTaxes ? null : undefined),
      })),
    ],
    completeSet: read.completeSet && appliesHere ? "rate plans" : undefined,
    distribution: narrowings.distribution.first,
  };
}

/** Returns the plan without the rates and rules for other distribution channels. */
function applicableParts(plan: ParsedPlan, narrowings: Narrowings): ParsedPlan[] {
  const { at, code = "", narrowedBy } = plan;
  if (!narrowings.allow({ at, target: planTarget(plan, code, undefined), narrowedBy })) return [];
  const toLine = (part: ParsedRate | PlanRule) => ({
    at: part.at,
    target: planTarget(plan, code, part.category),
    narrowedBy: part.narrowedBy,
  });
  const rates = plan.rates.filter((rate) => narrowings.allow({ ...toLine(rate), amounts: { rates: [rate], replace: false } }));
  const rules = plan.rules.filter((rule) => narrowings.allow(toLine(rule)));
  const isForOtherChannels = plan.rates.length + plan.rules.length > 0 && rates.length + rules.length === 0;
  return isForOtherChannels ? [] : [{ ...plan, rates, rules }];
}

/** Removes the plans that are missing from a complete set, and returns their codes. */
function removeOmitted(builder: DecisionBuilder, read: RatePlans): string[] {
  const sentCodes = new Set(read.plans.map(({ code }) => code));
  const omittedPlans = [...builder.context.plans.values()].filter(({ code, status }) => !sentCodes.has(code) && status !== "removed");
  for (const { code } of omittedPlans) builder.operations.push(clearFromToday(code, PLAN_GROUPS, builder.context));
  return omittedPlans.map(({ code }) => code);
}

export const PLAN_GROUPS: readonly Group[] = ["amounts", "restrictions"];

export function clearFromToday(code: string, groups: readonly Group[], { today }: DecisionContext): Operation {
  return { type: "clear", kind: "rate", groups, lane: code, from: today };
}

/** Whether the plan keeps its stored amounts. Derived plans without amounts do, because derived amounts aren't computed. */
function keepsAmounts({ isDerived, rates }: ParsedPlan): boolean {
  return (isDerived || rates.some((rate) => rate.isDerived)) && rates.every(isUncomputedRate);
}

/** Applies rates and rules that have no plan. They replace values only on their own nights, because there is no plan to replace. */
function decideUnnamed(builder: DecisionBuilder, plan: ParsedPlan): void {
  const unnamedPlan: ParsedPlan = { ...plan, type: plan.type === "delta" ? "delta" : "overlay" };
  const planContext = { plan: unnamedPlan, code: "", replacesPlan: false, before: startDraft(undefined).known };
  for (const update of ratesUpdates(planContext)) builder.apply(update);
  applyRules(builder, planContext);
}

/**
 * A plan's state between elements of the message. `replacesPlan` means that an element replaced the plan. `details` are the details from
 * before the message. `sent` is merged into them once at the end, because each merge reads all of them.
 */
type PlanDraft = { replacesPlan: boolean; resetsTaxes: boolean; known: KnownPlan; details: string | null; sent: Partial<PlanDetails>[] };

type PlanProgress = {
  drafts: Map<string, PlanDraft>;
  removed: Set<string>;
  /** Plans whose nights were cleared. The value is true if no nights have been set since. */
  cleared: Map<string, boolean>;
};

/**
 * Applies one `RatePlan` element. A message can have several elements for one plan; only the first one that replaces the plan clears its
 * nights.
 */
function decidePlan(builder: DecisionBuilder, plan: ParsedPlan, { read, progress }: { read: RatePlans; progress: PlanProgress }): void {
  const { code, type, at } = plan;
  const { drafts, removed, cleared } = progress;
  const { context, operations, targets } = builder;
  if (type === undefined) return;
  if (code === undefined) return decideUnnamed(builder, plan);
  const earlierDraft = drafts.get(code);
  const storedPlan = context.plans.get(code);
  if (type === "remove") {
    drafts.delete(code);
    return removePlan(builder, { code, at, status: earlierDraft ? "active" : storedPlan?.status }, progress);
  }
  const replaces = type === "full" || read.completeSet;
  if (replaces) targets.addPlan(code, at);
  else if (!earlierDraft) targets.plan(code, plan.rates[0]?.category, at);
  const isFirst = replaces && !earlierDraft?.replacesPlan;
  const clearsAmounts = isFirst && !keepsAmounts(plan);
  if (clearsAmounts) clearPlan(builder, code, cleared);
  else if (isFirst && !cleared.get(code)) operations.push(clearFromToday(code, ["restrictions"], context));
  const { length } = operations;
  const draft = isFirst ? startDraft(undefined) : (earlierDraft ?? startDraft(removed.has(code) ? undefined : storedPlan));
  const isReplaced = replaces || earlierDraft?.replacesPlan === true;
  const planContext = { plan, code, replacesPlan: isReplaced, before: draft.known };
  for (const update of ratesUpdates(planContext)) builder.apply(update);
  applyRules(builder, planContext);
  if (operations.length > length && cleared.has(code)) cleared.set(code, false);
  draft.sent.push(plan.details);
  drafts.set(code, {
    ...draft,
    replacesPlan: isReplaced,
    resetsTaxes: draft.resetsTaxes || clearsAmounts,
    known: toKnownPlan(planContext, context),
  });
}

function clearPlan({ context, operations, targets }: DecisionBuilder, code: string, cleared: PlanProgress["cleared"]): void {
  if (cleared.get(code)) return;
  // Counts every category toward the limit, because clearing affects all of them.
  if (cleared.has(code)) targets.countWide();
  cleared.set(code, true);
  operations.push(clearFromToday(code, PLAN_GROUPS, context));
}

/**
 * Returns a removed plan. Clears everything but its name, so that a later plan with the same code does not inherit its terms and
 * descriptions.
 */
export function removedPlanMention(code: string): PlanMention {
  return { code, status: "removed", currency: null, price_basis: null, meal_plan: null, taxes: null, details: null };
}

type PlanRemoval = { code: string; at: SourceLocation; status: string | undefined };

function removePlan(builder: DecisionBuilder, { code, at, status }: PlanRemoval, { removed, cleared }: PlanProgress): void {
  if (status === undefined || status === "removed")
    builder.context.report.warn(note(`rate plan ${code} is unknown: nothing was removed`), at);
  if (status === undefined) return;
  clearPlan(builder, code, cleared);
  removed.add(code);
}

function startDraft(stored: StoredPlan | undefined): PlanDraft {
  const { name = null, currency = null, price_basis = null, meal_plan = null, details = null } = stored ?? {};
  const { nights } = parsePlanDetails(details);
  return { replacesPlan: false, resetsTaxes: false, known: { name, currency, price_basis, meal_plan, nights }, details, sent: [] };
}

function toKnownPlan({ plan, before }: PlanContext, { property }: DecisionContext): KnownPlan {
  const { staticRate, currency, details } = plan;
  return {
    name: chooseTitle(details, property) ?? before.name,
    currency: staticRate?.currency ?? currency ?? before.currency,
    price_basis: priceBasisName(staticRate?.perPerson ?? plan.perPerson) ?? before.price_basis,
    meal_plan: staticRate?.mealPlan ?? before.meal_plan,
    nights: details.nights ?? before.nights,
  };
}

function priceBasisName(perPerson: boolean | undefined): string | undefined {
  if (perPerson === undefined) return undefined;
  return perPerson ? "person" : "room";
}

function toMention(code: string, { known, details, sent }: PlanDraft, { today }: DecisionContext): PlanMention {
  const { name, currency, price_basis, meal_plan } = known;
  const changedDetails = sent.filter((one) => Object.keys(one).length > 0);
  const mergedDetails =
    changedDetails.length === 0 ? details : JSON.stringify(mergeDetails(parsePlanDetails(details), changedDetails, today));
  return { code, name, currency, price_basis, meal_plan, details: mergedDetails, status: "active" };
}

function planSummary(read: RatePlans, summary: string, context: DecisionContext): string {
  if (isReset(read) || read.plans.length === 0) return "Reset: every rate plan was removed";
  const planTexts = read.plans.slice(0, 3).map(({ code, type, details: { supplements = [], offers = [] } }) => {
    const name = code === undefined ? "without a plan" : toOurCode(context, "plan", code);
    return `${name} (${[type, listCounts({ supplement: supplements, offer: offers })].filter(Boolean).join(", ")})`;
  });
  const moreText = read.plans.length > 3 ? " and more" : "";
  const nights = read.plans.every(({ type }) => type === "remove") ? "" : `: ${summary}`;
  return `${read.completeSet ? "Complete set of rate plans" : "Rate plans"} ${planTexts.join(", ")}${moreText}${nights}`;
}
