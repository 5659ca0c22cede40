import { type Night, weekdayBit } from "../../../../calendar/night.ts";
import { type Column, type ColumnValue, type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { DecisionContext } from "../../message.ts";
import type { Range } from "../parts/dates.ts";
import type { Rule } from "./rate-plan.ts";

/** A rule with its storable nights. */
export type BoundRule = { rule: Rule; range: Range };

/** What rules say about each night from today on; `null` removes a limit, `undefined` says nothing. */
export type Layer = Map<Column, Said[]>;
type Said = ColumnValue | null | undefined;

/** Applies rules in order; a later one wins. */
export function layerOf(rules: readonly BoundRule[], { today, horizon }: Pick<DecisionContext, "today" | "horizon">): Layer {
  const layer: Layer = new Map();
  const nothing = () => Array<Said>(horizon - today + 1).fill(undefined);
  const columnOf = (column: Column) => layer.getOrInsertComputed(column, nothing);
  for (const { rule, range } of rules) {
    const nights = { ...range, today };
    for (const [column, value] of rule.restrictions) sayAlike(columnOf(column), nights, value ?? null);
    if (rule.arrival !== undefined) sayByDay(columnOf("closedToArrival"), nights, rule.arrival);
    if (rule.departure !== undefined) sayByDay(columnOf("closedToDeparture"), nights, rule.departure);
  }
  return layer;
}

type Nights = Range & { today: Night };

function sayAlike(values: Said[], { first, last, days, today }: Nights, value: Said): void {
  if (days === EVERY_DAY) return void values.fill(value, first - today, last - today + 1);
  for (let night = first; night <= last; night++) if (days & weekdayBit(night)) values[night - today] = value;
}

/** Opens arrival or departure on the allowed weekdays and closes it on the others. */
function sayByDay(values: Said[], { first, last, days, today }: Nights, allowed: DayMask): void {
  for (let night = first; night <= last; night++) {
    const day = weekdayBit(night);
    if (days & day) values[night - today] = allowed & day ? 0 : 1;
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

const UPPER_LIMITS: ReadonlySet<Column> = new Set(["maxStayArrival", "maxStayThrough", "maxAdvance"]);

function stricter(column: Column, a: Said, b: Said): Said {
  if (typeof a !== "number" || typeof b !== "number") return b ?? a ?? (a === null || b === null ? null : undefined);
  return UPPER_LIMITS.has(column) ? Math.min(a, b) : Math.max(a, b);
}

/** A value for nights, or some weekdays of them; `null` removes a limit. */
type Run = Range & { value: ColumnValue | null };

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
