import { EVERY_DAY } from "../../../../calendar/operation.ts";
import { type BoundRule, combine, type Layer, layerOf, runsOf } from "./layer.ts";
import type { Rule } from "./rate-plan.ts";
import type { Planned, Sheet } from "./sheet.ts";

/**
 * Turns the booking rules of a plan into restrictions of nights. Of rules of the same kind a later one wins; a stay has
 * to meet those of all categories and those of its own, so of these two the stricter one counts.
 */
export function planRules(sheet: Sheet, { plan, code, full }: Planned): void {
  const bound = plan.rules.flatMap((rule) => bind(sheet, rule));
  const general = bound.filter(({ rule }) => rule.category === undefined);
  const special = Map.groupBy(bound, ({ rule }) => rule.category ?? "");
  const shared = layerOf(general, sheet.scene);
  for (const category of general.length > 0 ? sheet.scene.categories.keys() : special.keys()) {
    const own = special.get(category) ?? [];
    const layer = own.length > 0 ? combine(shared, layerOf(own, sheet.scene)) : shared;
    const target = { category, lane: code };
    if (!full && plan.type !== "delta") clearNights(sheet, [...general, ...own], target);
    assignLayer(sheet, layer, target);
    for (const { span } of [...general, ...own]) sheet.summary.add(`${category}/${code}`, span, () => "booking rule");
  }
}

function bind({ targets, clipper, scene }: Sheet, rule: Rule): BoundRule[] {
  const known = targets.categories(rule.category, rule.at).length > 0;
  const everything = { first: scene.today, last: scene.horizon, days: EVERY_DAY };
  const span = rule.undated ? everything : rule.span && clipper.clip(rule.span, rule.at);
  return known && span ? [{ rule, span }] : [];
}

type Target = { category: string; lane: string };

/** An overlay takes away what the nights had. */
function clearNights({ operations }: Sheet, rules: readonly BoundRule[], target: Target): void {
  for (const { span } of rules) {
    operations.push({ type: "assign", kind: "rate", ...target, ...span, group: "restrictions", replace: true, values: [] });
  }
}

function assignLayer({ operations, scene }: Sheet, layer: Layer, target: Target): void {
  for (const [column, values] of layer) {
    for (const { value, ...nights } of runsOf(values, scene.today)) {
      const said = [[column, value ?? undefined] as const];
      operations.push({ type: "assign", kind: "rate", ...target, ...nights, group: "restrictions", replace: false, values: said });
    }
  }
}
