import { EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Sheet } from "../parts/sheet.ts";
import { type BoundRule, combine, type Layer, layerOf, valueRuns } from "./layer.ts";
import { categoriesOf } from "./products.ts";
import type { PlanRead, Planned, Rule } from "./rate-plan.ts";

/**
 * Turns the booking rules of a plan into restrictions of nights. Among rules for all categories, or for one, a later one wins.
 * A stay must meet both kinds, so the stricter of the two counts.
 */
export function planRules(sheet: Sheet, { plan, code, full }: Planned): void {
  const bound = plan.rules.flatMap((rule) => bind(sheet, plan, rule));
  const general = bound.filter(({ rule }) => rule.category === undefined);
  const special = Map.groupBy(
    bound.filter(({ rule }) => rule.category !== undefined),
    ({ rule }) => rule.category!,
  );
  const sold = soldOf(plan, sheet.context);
  const shared = layerOf(general, sheet.context);
  for (const category of new Set([...(general.length > 0 ? sold : []), ...special.keys()])) {
    const own = special.get(category) ?? [];
    const common = sold.has(category) ? general : [];
    const target = { category, lane: code };
    if (!full && plan.type !== "delta") clearNights(sheet, [...common, ...own], target);
    assignLayer(sheet, layerFor(shared, { common, own }, sheet.context), target);
    sheet.summary.what ??= "booking rule";
    for (const { range } of [...common, ...own]) sheet.summary.add(`${category}/${code}`, range);
  }
}

function soldOf({ products }: PlanRead, { categories }: Sheet["context"]): ReadonlySet<string> {
  const codes = [...categories.keys()];
  if (products.length === 0) return new Set(codes);
  const listed = new Set(products.map(({ category }) => category));
  return new Set(codes.filter((code) => listed.has(code)));
}

/** Categories without rules of their own share one layer. */
function layerFor(
  shared: Layer,
  { common, own }: { common: readonly BoundRule[]; own: readonly BoundRule[] },
  context: Sheet["context"],
): Layer {
  if (own.length === 0) return shared;
  const layer = layerOf(own, context);
  return common.length === 0 ? layer : combine(shared, layer);
}

function bind(sheet: Sheet, plan: PlanRead, rule: Rule): BoundRule[] {
  const { clipper, context } = sheet;
  const known = categoriesOf(sheet, plan, rule).length > 0;
  const everything = { first: context.today, last: context.horizon, days: EVERY_DAY };
  const range = rule.undated ? everything : rule.range && clipper.clip(rule.range, rule.at);
  return known && range ? [{ rule, range }] : [];
}

type Target = { category: string; lane: string };

/** An overlay clears what the nights had. */
function clearNights({ operations }: Sheet, rules: readonly BoundRule[], target: Target): void {
  for (const { range } of rules) {
    operations.push({ type: "assign", kind: "rate", ...target, ...range, group: "restrictions", replace: true, values: [] });
  }
}

function assignLayer({ operations, context }: Sheet, layer: Layer, target: Target): void {
  for (const [column, values] of layer) {
    for (const { value, ...nights } of valueRuns(values, context.today)) {
      const said = [[column, value ?? undefined] as const];
      operations.push({ type: "assign", kind: "rate", ...target, ...nights, group: "restrictions", replace: false, values: said });
    }
  }
}
