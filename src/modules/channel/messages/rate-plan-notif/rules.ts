import { type Column, type ColumnValue, type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Span } from "../parts/dates.ts";
import type { PlanRead, Rule } from "./rate-plan.ts";
import type { Sheet } from "./sheet.ts";

type Values = readonly (readonly [Column, ColumnValue | undefined])[];
type Bound = { rule: Rule; categories: readonly string[]; span: Span };

/**
 * Turns the booking rules of a plan into restrictions of nights. The rules of one message add to each other, a later
 * one winning; an overlay first takes away what the nights had.
 */
export function planRules(sheet: Sheet, plan: PlanRead, code: string, cleared: boolean): void {
  const bound = plan.rules.flatMap((rule) => bind(sheet, rule));
  const assign = (category: string, span: Span, values: Values, replace: boolean): void => {
    sheet.operations.push({ type: "assign", kind: "rate", category, lane: code, ...span, group: "restrictions", replace, values });
  };
  if (!cleared && plan.type !== "delta") for (const { categories, span } of bound) for (const one of categories) assign(one, span, [], true);
  for (const { rule, categories, span } of bound) {
    for (const category of categories) {
      for (const part of partsOf(rule, span)) assign(category, part.span, part.values, false);
      sheet.summary.add(`${category}/${code}`, span, () => "booking rule");
    }
  }
}

function bind({ targets, clipper, scene }: Sheet, rule: Rule): Bound[] {
  const categories = targets.categories(rule.category, rule.at);
  const everything = { first: scene.today, last: scene.horizon, days: EVERY_DAY };
  const span = rule.undated ? everything : rule.span && clipper.clip(rule.span, rule.at);
  return span ? [{ rule, categories, span }] : [];
}

/** Arrival and departure are open on the weekdays named and closed on the others. */
function partsOf({ restrictions, arrival, departure }: Rule, span: Span): { span: Span; values: Values }[] {
  const parts = restrictions.size > 0 ? [{ span, values: [...restrictions] as Values }] : [];
  return [...parts, ...dayParts("closedToArrival", arrival, span), ...dayParts("closedToDeparture", departure, span)];
}

function dayParts(column: Column, allowed: DayMask | undefined, span: Span): { span: Span; values: Values }[] {
  if (allowed === undefined) return [];
  const parts = [
    { span: { ...span, days: span.days & allowed }, values: [[column, 0]] as Values },
    { span: { ...span, days: span.days & ~allowed }, values: [[column, 1]] as Values },
  ];
  return parts.filter((part) => part.span.days !== 0);
}
