import type { ComparedNight, ComparedRows, NightDifference, GridDifferences } from "./compare.ts";
import type { GridContext } from "./context.ts";
import type { RowSource } from "./rows.ts";

type JsonView<Row> = { rows: RowSource<Row>; compared: ComparedRows<Row> };

/** Lists the nights that differ. `value` is a price or a room count; `otherNight` is the night with which it is compared. */
export function comparisonJson<Row>(context: GridContext, differences: GridDifferences<Row>, view: JsonView<Row>): object {
  const { other, rows, ofRows } = differences;
  const { asOf } = other.query;
  const differingNights = rows.flatMap((row, at) => {
    const { kind, category, lane } = view.rows.laneOf(row);
    const place = { category, ...(kind === "rate" ? { plan: lane } : lane !== "" && { room: lane }) };
    return ofRows[at]!.flatMap((difference, index) => {
      if (difference === undefined) return [];
      const nights = { night: context.days[index]!.iso, otherNight: other.days[index]!.iso };
      return [{ ...place, ...nights, ...differenceJson(difference, view.compared) }];
    });
  });
  return { from: other.days[0]!.iso, asOf: asOf === undefined ? undefined : new Date(asOf).toISOString(), differences: differingNights };
}

function differenceJson<Row>({ now, before, change }: NightDifference, compared: ComparedRows<Row>): object {
  const { json } = compared;
  return {
    now: comparedNightJson(now, json),
    before: comparedNightJson(before, json),
    change: change === undefined ? undefined : signedJson(change, now.unit, json),
  };
}

export function comparedNightJson({ value, unit, state }: ComparedNight, json: ComparedRows<unknown>["json"]) {
  return {
    value: value === undefined ? undefined : json(value, unit),
    unit: unit || undefined,
    state: state === "sellable" ? "open" : state,
  };
}

export function signedJson(change: number, unit: string, json: ComparedRows<unknown>["json"]): string | number {
  const size = json(Math.abs(change), unit);
  if (change >= 0) return size;
  return typeof size === "number" ? -size : `-${size}`;
}
