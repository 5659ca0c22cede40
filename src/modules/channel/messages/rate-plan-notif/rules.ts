import { NO_VALUES, type Attribute, type AttributeValue, stricterOf } from "../../../../calendar/attributes.ts";
import { type Night, weekdayBit } from "../../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { DecisionContext } from "../../message.ts";
import type { DecisionBuilder, LaneRange } from "../../updates/decision-builder.ts";
import { rateName } from "../../updates/summary.ts";
import type { Range, Target } from "../../updates/update.ts";
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

/** A rule with its storable nights. */
export type BoundRule = { rule: Rule; range: Range };

/** The first and the last night that rules are about. */
export type Ends = Pick<Range, "first" | "last">;

/** The ends of all rules together; undefined without rules. */
export function endsOf(rules: readonly BoundRule[]): Ends | undefined {
  if (rules.length === 0) return undefined;
  const ends = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  for (const { range } of rules) {
    ends.first = Math.min(ends.first, range.first);
    ends.last = Math.max(ends.last, range.last);
  }
  return ends;
}

/** What rules say about each night from the first end to the last; `null` removes a limit, `undefined` says nothing. */
export type Layer = Map<Attribute, Said[]>;
type Said = AttributeValue | null | undefined;

/** Applies rules in order; a later one wins. */
export function layerOf(rules: readonly BoundRule[], ends: Ends): Layer {
  const layer: Layer = new Map();
  const nothing = () => Array<Said>(ends.last - ends.first + 1).fill(undefined);
  const columnOf = (column: Attribute) => layer.getOrInsertComputed(column, nothing);
  for (const { rule, range } of rules) {
    const nights = { ...range, from: ends.first };
    for (const [column, value] of rule.restrictions) sayAlike(columnOf(column), nights, value ?? null);
    if (rule.arrival !== undefined) sayByDay(columnOf("closedToArrival"), nights, rule.arrival);
    if (rule.departure !== undefined) sayByDay(columnOf("closedToDeparture"), nights, rule.departure);
  }
  return layer;
}

/** `from`: the first night of the layer. */
type Nights = Range & { from: Night };

function sayAlike(values: Said[], { first, last, days, from }: Nights, value: Said): void {
  if (days === EVERY_DAY) return void values.fill(value, first - from, last - from + 1);
  for (let night = first; night <= last; night++) if (days & weekdayBit(night)) values[night - from] = value;
}

/** Opens arrival or departure on the allowed weekdays and closes it on the others. */
function sayByDay(values: Said[], { first, last, days, from }: Nights, allowed: DayMask): void {
  for (let night = first; night <= last; night++) {
    const day = weekdayBit(night);
    if (days & day) values[night - from] = allowed & day ? 0 : 1;
  }
}

/** The stricter of both, by night. */
export function combine(a: Layer, b: Layer): Layer {
  const combined: Layer = new Map(a);
  for (const [column, values] of b) {
    const others = a.get(column);
    combined.set(column, others ? values.map((value, night) => stricter(column, others[night], value)) : values);
  }
  return combined;
}

function stricter(column: Attribute, a: Said, b: Said): Said {
  if (typeof a !== "number" || typeof b !== "number") return b ?? a ?? (a === null || b === null ? null : undefined);
  return stricterOf(column, a, b);
}

/** A value for nights, or some weekdays of them; `null` removes a limit. */
type Run = Range & { value: AttributeValue | null };

/** Nights with the same value, or the same values every week; nights without a value are left out. */
export function* valueRuns(values: readonly Said[], first: Night): Generator<Run> {
  for (let from = 0, to = 0; from < values.length; from = to + 1) {
    const plain = endOf(values, from, 1);
    const weekly = endOf(values, from, WEEK);
    const repeats = weekly > plain && weekly - from >= 2 * WEEK;
    to = repeats ? weekly : plain;
    const days = repeats ? weekdaysOf(values.slice(from, from + WEEK), first + from) : new Map([[values[from], EVERY_DAY]]);
    for (const [value, mask] of days) if (value !== undefined) yield { first: first + from, last: first + to, days: mask, value };
  }
}

const WEEK = 7;

/** The last night up to which values repeat every `period` nights. */
function endOf(values: readonly Said[], from: number, period: number): number {
  let to = Math.min(from + period, values.length) - 1;
  while (to + 1 < values.length && values[to + 1] === values[to + 1 - period]) to++;
  return to;
}

function weekdaysOf(week: readonly Said[], first: Night): Map<Said, DayMask> {
  const days = new Map<Said, DayMask>();
  for (const [index, value] of week.entries()) days.set(value, (days.get(value) ?? 0) | weekdayBit(first + index));
  return days;
}
