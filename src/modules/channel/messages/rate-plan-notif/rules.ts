import { type Attribute, type AttributeValue, NO_VALUES, stricterValue, type AttributeMap } from "../../../../calendar/attributes.ts";
import { type Night, weekdayBit } from "../../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { DecisionContext } from "../../message.ts";
import type { DecisionBuilder, LaneRange } from "../../updates/decision-builder.ts";
import { ourRateName } from "../../updates/summary.ts";
import type { WeekdayRange, UpdateTarget } from "../../updates/update.ts";
import { type ParsedPlan, type PlanContext, type PlanRule, planTarget } from "./rate-plan.ts";

/**
 * Converts a plan's booking rules into restrictions. Later rules override earlier ones. General rules and the rules for each category are
 * combined separately. A stay must meet both, so the stricter value is stored.
 */
export function applyRules(builder: DecisionBuilder, { plan, code, replacesPlan }: PlanContext): void {
  const rules = plan.rules.flatMap((rule) =>
    toDatedRule(builder, { target: planTarget(plan, code, rule.category), type: plan.type }, rule),
  );
  const ends = outerBounds(rules);
  if (!ends) return;
  const { general = [], special = [] } = Object.groupBy(rules, ({ rule }) => (rule.category === undefined ? "general" : "special"));
  const byCategory = Map.groupBy(special, ({ rule }) => rule.category!);
  const soldCategories = new Set(general.length > 0 ? planCategories(plan, builder.context) : []);
  const generalLayer = buildLayer(general, ends);
  for (const category of new Set([...soldCategories, ...byCategory.keys()])) {
    const own = byCategory.get(category) ?? [];
    const appliedRules = soldCategories.has(category) ? [...general, ...own] : own;
    const lane = { category, lane: code };
    // An overlay clears the values from before the message.
    if (!replacesPlan && plan.type !== "delta") {
      for (const { range } of appliedRules)
        builder.assign({ ...lane, range }, { group: "restrictions", values: NO_VALUES, replace: "older" });
    }
    const ownLayer = buildLayer(own, ends);
    assignLayer(builder, soldCategories.has(category) ? combineLayers(generalLayer, ownLayer) : ownLayer, { ...lane, from: ends.first });
    builder.summary.what ??= "booking rule";
    for (const { range } of appliedRules) builder.summary.add(ourRateName(builder.context, category, code), range);
  }
}

function planCategories({ products }: ParsedPlan, { categories }: DecisionContext): readonly string[] {
  const productCategories = new Set(products.map(({ category }) => category));
  return [...categories.keys()].filter((code) => productCategories.size === 0 || productCategories.has(code));
}

/** A rule whose stay-limit types have been resolved. */
type ResolvedRule = Omit<PlanRule, "restrictions"> & { restrictions: AttributeMap };
type DatedRule = { rule: ResolvedRule; range: WeekdayRange };

type RuleTarget = { target: UpdateTarget; type: ParsedPlan["type"] };

function toDatedRule(builder: DecisionBuilder, { target, type }: RuleTarget, rule: PlanRule): DatedRule[] {
  const { targets, clipper, stays, context } = builder;
  const { at, restrictions } = rule;
  const categories = targets.categories(target, at);
  const range = rule.range && clipper.clip(fillOpenEnds(rule.range, context), at);
  if (!range || categories.length === 0) return [];
  const resolvedRestrictions = stays.resolve(target, restrictions, restrictions);
  // Only a delta leaves other limits in place, so only a delta needs this warning.
  if (type === "delta") stays.warnOfRemainingLimits({ at, target, range, categories }, resolvedRestrictions, restrictions);
  return [{ rule: { ...rule, restrictions: resolvedRestrictions }, range }];
}

/**
 * Replaces open ends with the first or last storable night. If the other end lies beyond that night, uses the other end, so that the range
 * stays valid.
 */
function fillOpenEnds({ first, last, days }: NonNullable<PlanRule["range"]>, { today, horizon }: DecisionContext): WeekdayRange {
  return { first: first ?? Math.min(today, last ?? today), last: last ?? Math.max(horizon, first ?? horizon), days };
}

type RangeBounds = Pick<WeekdayRange, "first" | "last">;

export function outerBounds(rules: readonly DatedRule[]): RangeBounds | undefined {
  if (rules.length === 0) return undefined;
  const ends = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  for (const { range } of rules) {
    ends.first = Math.min(ends.first, range.first);
    ends.last = Math.max(ends.last, range.last);
  }
  return ends;
}

/** One value per night, from `ends.first` to `ends.last`. `null` removes a limit; `undefined` leaves it unchanged. */
type RestrictionLayer = Map<Attribute, LayerValue[]>;
type LayerValue = AttributeValue | null | undefined;

export function buildLayer(rules: readonly DatedRule[], ends: RangeBounds): RestrictionLayer {
  const layer: RestrictionLayer = new Map();
  const attributeValues = (attribute: Attribute) =>
    layer.getOrInsertComputed(attribute, () => Array<LayerValue>(ends.last - ends.first + 1).fill(undefined));
  for (const { rule, range } of rules) {
    const nights = { ...range, from: ends.first };
    for (const [attribute, value] of rule.restrictions) fillRange(attributeValues(attribute), nights, value ?? null);
    if (rule.arrival !== undefined) fillByDay(attributeValues("closedToArrival"), nights, rule.arrival);
    if (rule.departure !== undefined) fillByDay(attributeValues("closedToDeparture"), nights, rule.departure);
  }
  return layer;
}

/** `from` is the layer's first night. */
type LayerRange = WeekdayRange & { from: Night };

function fillRange(values: LayerValue[], { first, last, days, from }: LayerRange, value: LayerValue): void {
  if (days === EVERY_DAY) return void values.fill(value, first - from, last - from + 1);
  for (let night = first; night <= last; night++) if (days & weekdayBit(night)) values[night - from] = value;
}

function fillByDay(values: LayerValue[], { first, last, days, from }: LayerRange, allowed: DayMask): void {
  for (let night = first; night <= last; night++) {
    const day = weekdayBit(night);
    if (days & day) values[night - from] = allowed & day ? 0 : 1;
  }
}

function combineLayers(a: RestrictionLayer, b: RestrictionLayer): RestrictionLayer {
  const combinedLayer: RestrictionLayer = new Map(a);
  for (const [attribute, values] of b) {
    const otherValues = a.get(attribute);
    combinedLayer.set(
      attribute,
      otherValues ? values.map((value, night) => stricterLayerValue(attribute, otherValues[night], value)) : values,
    );
  }
  return combinedLayer;
}

function stricterLayerValue(attribute: Attribute, a: LayerValue, b: LayerValue): LayerValue {
  if (typeof a !== "number" || typeof b !== "number") return b ?? a ?? (a === null || b === null ? null : undefined);
  return stricterValue(attribute, a, b);
}

function assignLayer(
  builder: DecisionBuilder,
  layer: RestrictionLayer,
  { from, ...lane }: Omit<LaneRange, "range"> & { from: Night },
): void {
  for (const [attribute, values] of layer) {
    for (const { value, ...range } of valueRuns(values, from))
      builder.assign({ ...lane, range }, { group: "restrictions", values: new Map([[attribute, value ?? undefined]]) });
  }
}

type ValueRun = WeekdayRange & { value: AttributeValue | null };

/** Yields ranges of nights on which the value is the same, or repeats every week. Omits unchanged nights. */
export function* valueRuns(values: readonly LayerValue[], first: Night): Generator<ValueRun> {
  for (let from = 0, to = 0; from < values.length; from = to + 1) {
    const constantEnd = findRepeatEnd(values, from, 1);
    const weeklyEnd = findRepeatEnd(values, from, DAYS_PER_WEEK);
    const repeatsWeekly = weeklyEnd > constantEnd && weeklyEnd - from >= 2 * DAYS_PER_WEEK;
    to = repeatsWeekly ? weeklyEnd : constantEnd;
    const days = repeatsWeekly
      ? groupWeekdays(values.slice(from, from + DAYS_PER_WEEK), first + from)
      : new Map([[values[from], EVERY_DAY]]);
    for (const [value, mask] of days) if (value !== undefined) yield { first: first + from, last: first + to, days: mask, value };
  }
}

const DAYS_PER_WEEK = 7;

/** Returns the last index up to which the values repeat every `period` nights. */
function findRepeatEnd(values: readonly LayerValue[], from: number, period: number): number {
  let to = Math.min(from + period, values.length) - 1;
  while (to + 1 < values.length && values[to + 1] === values[to + 1 - period]) to++;
  return to;
}

function groupWeekdays(week: readonly LayerValue[], first: Night): Map<LayerValue, DayMask> {
  const days = new Map<LayerValue, DayMask>();
  for (const [index, value] of week.entries()) days.set(value, (days.get(value) ?? 0) | weekdayBit(first + index));
  return days;
}
