import { type Night, weekdayBit } from "../../../../calendar/night.ts";
import { type Column, type ColumnValue, type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Scene } from "../../message.ts";
import type { Span } from "../parts/dates.ts";
import type { Rule } from "./rate-plan.ts";

/** A rule with the nights that can be stored. */
export type BoundRule = { rule: Rule; span: Span };

/** What rules say of each night from today on; `null` takes a limit away, `undefined` says nothing. */
export type Layer = Map<Column, Said[]>;
type Said = ColumnValue | null | undefined;

/** Writes rules over one another, the later one on top. */
export function layerOf(rules: readonly BoundRule[], { today, horizon }: Pick<Scene, "today" | "horizon">): Layer {
  const layer: Layer = new Map();
  const nights = horizon - today + 1;
  for (const { rule, span } of rules) {
    const { restrictions, arrival, departure } = rule;
    for (let night = span.first; night <= span.last; night++) {
      const day = weekdayBit(night);
      if ((span.days & day) === 0) continue;
      for (const [column, value] of restrictions) columnOf(layer, column, nights)[night - today] = value ?? null;
      closeDay(layer, "closedToArrival", { allowed: arrival, day, night: night - today, nights });
      closeDay(layer, "closedToDeparture", { allowed: departure, day, night: night - today, nights });
    }
  }
  return layer;
}

type Day = { allowed: DayMask | undefined; day: DayMask; night: number; nights: number };

/** Arrival and departure are open on the weekdays that are allowed, and closed on the others. */
function closeDay(layer: Layer, column: Column, { allowed, day, night, nights }: Day): void {
  if (allowed !== undefined) columnOf(layer, column, nights)[night] = allowed & day ? 0 : 1;
}

function columnOf(layer: Layer, column: Column, nights: number): Said[] {
  let values = layer.get(column);
  if (!values) layer.set(column, (values = Array<Said>(nights).fill(undefined)));
  return values;
}

/** The stricter of both in each night. */
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

/** A value of nights, or of some weekdays of them; `null` takes a limit away. */
type Run = Span & { value: ColumnValue | null };

/** Nights with the same value, or with the same values week after week; those of which nothing is said are left out. */
export function* runsOf(values: readonly Said[], first: Night): Generator<Run> {
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

/** The last night up to which each is like the one `period` nights before. */
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
