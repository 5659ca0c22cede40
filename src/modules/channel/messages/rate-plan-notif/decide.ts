import type { Operation } from "../../../../calendar/operation.ts";
import type { RatePlanRow } from "../../../../db/schema.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { PlanSighting } from "../../../../journal/work.ts";
import { countedEach } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Place } from "../../report.ts";
import { newSheet, type Sheet } from "../parts/sheet.ts";
import { mergeDetails, titleOf } from "./details.ts";
import { isReset, type KnownPlan, type Planned, type PlanRead, type RatePlans, type StaticRate } from "./rate-plan.ts";
import { planRates } from "./rates.ts";
import { planRules } from "./rules.ts";

/** Turns rate plans into operations on nights and records of the plans. */
export function decideRatePlans(read: RatePlans, context: DecisionContext): Decision {
  const sheet = newSheet(context);
  const plans: PlanSighting[] = read.completeSet ? removeOthers(sheet, read) : [];
  const told: Told = new Map();
  if (!isReset(read)) for (const plan of read.plans) plans.push(...decidePlan(sheet, plan, { read, told }));
  sheet.clipper.finish();
  return {
    summary: summaryOf(read, sheet),
    operations: sheet.operations,
    plans,
    completeSet: read.completeSet ? "rate plans" : undefined,
  };
}

/** Removes the plans that a set omits. */
function removeOthers(sheet: Sheet, read: RatePlans): PlanSighting[] {
  const listed = new Set(read.plans.map(({ code }) => code));
  const others = [...sheet.context.plans.values()].filter(({ code, status }) => !listed.has(code) && status !== "removed");
  for (const { code } of others) sheet.operations.push(clearPlan(code, sheet.context));
  return others.map(({ code }) => ({ code, status: "removed" }));
}

function clearPlan(code: string, { today }: DecisionContext): Operation {
  return { type: "clear", kind: "rate", groups: ["amounts", "restrictions"], lane: code, from: today };
}

/** What earlier elements of the message said of their plans; `whole` when one of them replaced the plan. */
type Told = Map<string, { whole: boolean; known: KnownPlan }>;

/** A plan may come in several elements: only the first of those that replace it clears what it had. */
function decidePlan(sheet: Sheet, plan: PlanRead, { read, told }: { read: RatePlans; told: Told }): PlanSighting[] {
  const { code, type, at } = plan;
  const { context } = sheet;
  if (code === undefined || type === undefined) return [];
  const earlier = told.get(code);
  const known = earlier?.known ?? context.plans.get(code);
  told.delete(code);
  if (type === "remove") return removePlan(sheet, code, { known, at });
  const whole = type === "full" || read.completeSet;
  const full = whole && !earlier?.whole;
  // A whole plan may be new; the others must name one that may be used.
  if (!whole && !earlier) sheet.targets.plan(code, plan.rates[0]?.category, at);
  if (full) sheet.operations.push(clearPlan(code, context));
  const planned = { plan, code, full, before: full ? undefined : known };
  planRates(sheet, planned);
  planRules(sheet, planned);
  const news = knowledgeOf(planned, context);
  told.set(code, { whole: whole || earlier?.whole === true, known: news });
  return [{ code, ...news, status: "active" }];
}

type Removed = { known: Partial<RatePlanRow> | undefined; at: Place };

function removePlan({ context, operations }: Sheet, code: string, { known, at }: Removed): PlanSighting[] {
  if (!known || known.status === "removed") context.report.warn(note(`rate plan ${code} is not known: nothing was removed`), at);
  if (!known) return [];
  operations.push(clearPlan(code, context));
  return [{ code, status: "removed" }];
}

/** What is known of a plan after an element; a full plan drops what it does not repeat. */
function knowledgeOf({ plan, before }: Planned, { property, today }: DecisionContext): KnownPlan {
  const { staticRate, currency, details } = plan;
  const news = Object.keys(details).length > 0;
  return {
    name: titleOf(details, property) ?? before?.name ?? null,
    currency: currency ?? before?.currency ?? null,
    price_basis: basisOf(staticRate) ?? before?.price_basis ?? null,
    meal_plan: staticRate?.mealPlan ?? before?.meal_plan ?? null,
    details: news ? JSON.stringify(mergeDetails(parsePlanDetails(before?.details ?? null), details, today)) : (before?.details ?? null),
  };
}

function basisOf(rate: StaticRate | undefined): string | undefined {
  if (rate?.perPerson === undefined) return undefined;
  return rate.perPerson ? "person" : "room";
}

function summaryOf(read: RatePlans, { summary }: Sheet): string {
  if (isReset(read) || read.plans.length === 0) return "Reset: every rate plan was removed";
  const named = read.plans.slice(0, 3).map(({ code, type, details: { supplements = [], offers = [] } }) => {
    return `${code} (${[type, countedEach({ supplement: supplements, offer: offers })].filter(Boolean).join(", ")})`;
  });
  const more = read.plans.length > 3 ? " and more" : "";
  const nights = read.plans.every(({ type }) => type === "remove") ? "" : `: ${summary.text()}`;
  return `${read.completeSet ? "Complete set of rate plans" : "Rate plans"} ${named.join(", ")}${more}${nights}`;
}
