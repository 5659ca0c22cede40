import { weekdayBit } from "../../../../calendar/night.ts";
import type { Column, ColumnValue, DayMask } from "../../../../calendar/operation.ts";
import type { Scene } from "../../message.ts";
import type { BoundRule } from "./rules.ts";

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

/** Runs of nights with the same value, those of which nothing is said left out. */
export function* runsOf(values: readonly Said[]): Generator<{ from: number; to: number; value: ColumnValue | null }> {
  for (let from = 0, to = 0; from < values.length; from = to + 1) {
    const value = values[from];
    to = from;
    while (to + 1 < values.length && values[to + 1] === value) to++;
    if (value !== undefined) yield { from, to, value };
  }
}
