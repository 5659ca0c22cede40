import { type Attribute, type AttributeValue, stricterOf } from "../../../../calendar/attributes.ts";
import { type Night, weekdayBit } from "../../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Range } from "../../updates/update.ts";
import type { Rule } from "./rate-plan.ts";

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
