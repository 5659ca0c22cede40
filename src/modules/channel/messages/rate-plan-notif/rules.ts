import { NO_VALUES } from "../../../../calendar/attributes.ts";
import type { Night } from "../../../../calendar/night.ts";
import type { DecisionContext } from "../../message.ts";
import type { DecisionBuilder, LaneRange } from "../../updates/decision-builder.ts";
import { rateName } from "../../updates/summary.ts";
import type { Range, Target } from "../../updates/update.ts";
import { type BoundRule, combine, type Ends, endsOf, type Layer, layerOf, valueRuns } from "./layer.ts";
import { type PlanRead, type Planned, type Rule, targetOf } from "./rate-plan.ts";

/**
 * Turns the booking rules of a plan into restrictions of nights. Among rules for all categories, or for one, a later one wins.
 * A stay must meet both kinds, so the stricter of the two counts.
 */
export function planRules(builder: DecisionBuilder, { plan, code, whole }: Planned): void {
  const bound = plan.rules.flatMap((rule) => bind(builder, targetOf(plan, code, rule.category), rule));
  const ends = endsOf(bound);
  if (!ends) return;
  const general = bound.filter(({ rule }) => rule.category === undefined);
  const special = Map.groupBy(
    bound.filter(({ rule }) => rule.category !== undefined),
    ({ rule }) => rule.category!,
  );
  const sold = general.length > 0 ? soldOf(plan, builder.context) : NONE;
  const shared = layerOf(general, ends);
  for (const category of new Set([...sold, ...special.keys()])) {
    const own = special.get(category) ?? [];
    const common = sold.has(category) ? general : [];
    const lane = { category, lane: code };
    if (!whole && plan.type !== "delta") clearNights(builder, [...common, ...own], lane);
    assignLayer(builder, layerFor(shared, { common, own }, ends), { ...lane, from: ends.first });
    builder.summary.what ??= "booking rule";
    for (const { range } of [...common, ...own]) builder.summary.add(rateName(category, code), range);
  }
}

const NONE: ReadonlySet<string> = new Set();

function soldOf({ products }: PlanRead, { categories }: DecisionContext): ReadonlySet<string> {
  const codes = [...categories.keys()];
  if (products.length === 0) return new Set(codes);
  const listed = new Set(products.map(({ category }) => category));
  return new Set(codes.filter((code) => listed.has(code)));
}

/** Categories without rules of their own share one layer. */
function layerFor(shared: Layer, { common, own }: { common: readonly BoundRule[]; own: readonly BoundRule[] }, ends: Ends): Layer {
  if (own.length === 0) return shared;
  const layer = layerOf(own, ends);
  return common.length === 0 ? layer : combine(shared, layer);
}

function bind(builder: DecisionBuilder, target: Target, rule: Rule): BoundRule[] {
  const known = builder.targets.categories(target, rule.at).length > 0;
  const range = rule.range && builder.clipper.clip(closed(rule.range, builder.context), rule.at);
  return known && range ? [{ rule, range }] : [];
}

/** Puts open ends where nights are stored, unless the other end lies beyond. */
function closed({ first, last, days }: NonNullable<Rule["range"]>, { today, horizon }: DecisionContext): Range {
  return { first: first ?? Math.min(today, last ?? today), last: last ?? Math.max(horizon, first ?? horizon), days };
}

type Lane = Omit<LaneRange, "range">;

/** An overlay clears what the nights had before the message. */
function clearNights(builder: DecisionBuilder, rules: readonly BoundRule[], lane: Lane): void {
  for (const { range } of rules) builder.assign({ ...lane, range }, { group: "restrictions", values: NO_VALUES, replace: "older" });
}

/** `from`: the first night of the layer. */
function assignLayer(builder: DecisionBuilder, layer: Layer, { from, ...lane }: Lane & { from: Night }): void {
  for (const [column, values] of layer) {
    for (const { value, ...range } of valueRuns(values, from))
      builder.assign({ ...lane, range }, { group: "restrictions", values: new Map([[column, value ?? undefined]]) });
  }
}
