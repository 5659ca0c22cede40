import type { Operation } from "../../../../calendar/operation.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { PlanSighting } from "../../../../journal/work.ts";
import { countedEach } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { newSheet, type Sheet } from "../parts/sheet.ts";
import { titleOf } from "./details.ts";
import { isReset, type Planned, type PlanRead, type RatePlans, type StaticRate } from "./rate-plan.ts";
import { planRates } from "./rates.ts";
import { planRules } from "./rules.ts";

/** Turns rate plans into operations on nights and records of the plans. */
export function decideRatePlans(read: RatePlans, context: DecisionContext): Decision {
  const sheet = newSheet(context);
  const plans: PlanSighting[] = read.completeSet ? removeOthers(sheet, read) : [];
  if (!isReset(read)) for (const plan of read.plans) plans.push(...decidePlan(sheet, plan, read));
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

function decidePlan(sheet: Sheet, plan: PlanRead, { completeSet }: RatePlans): PlanSighting[] {
  const { code, type, at } = plan;
  const { context } = sheet;
  if (code === undefined || type === undefined) return [];
  if (type === "remove") return removePlan(sheet, code, plan);
  const full = type === "full" || completeSet;
  // A full plan may be new; the others must name one that may be used.
  if (!full && !sheet.targets.plan(code, plan.rates[0]?.category, at)) return [];
  if (full) sheet.operations.push(clearPlan(code, context));
  const planned = { plan, code, full };
  planRates(sheet, planned);
  planRules(sheet, planned);
  return [{ code, ...knowledgeOf(planned, context), status: "active" }];
}

function removePlan({ context, operations }: Sheet, code: string, { at }: PlanRead): PlanSighting[] {
  const known = context.plans.get(code);
  if (!known || known.status === "removed") context.report.warn(note(`rate plan ${code} is not known: nothing was removed`), at);
  if (!known) return [];
  operations.push(clearPlan(code, context));
  return [{ code, status: "removed" }];
}

/** What a plan says about itself; a full plan drops what it does not repeat. */
function knowledgeOf({ plan, code, full }: Planned, { plans, property }: DecisionContext): Omit<PlanSighting, "code"> {
  const { staticRate, currency, details } = plan;
  const unknown = full ? null : undefined;
  const before = full ? null : (plans.get(code)?.details ?? null);
  const news = Object.keys(details).length > 0;
  return {
    name: titleOf(details, property) ?? unknown,
    currency: currency ?? unknown,
    price_basis: basisOf(staticRate) ?? unknown,
    meal_plan: staticRate?.mealPlan ?? unknown,
    details: news ? JSON.stringify({ ...parsePlanDetails(before), ...details }) : unknown,
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
