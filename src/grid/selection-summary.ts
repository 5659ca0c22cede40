import { readableAmount } from "../calendar/money.ts";
import { formatNight } from "../calendar/night.ts";
import type { SaleState, Verdict } from "../calendar/verdict.ts";
import type { GridContext } from "./context.ts";
import type { RowSource } from "./rows.ts";
import { isSelected, isNightSelected } from "./selection.ts";

/**
 * The values for one night of a row that are used to summarise a selection. `rooms` is the number of free rooms in the row's whole
 * category.
 */
export type SaleNight = { verdict: Verdict; rooms: number | undefined; price: { minor: number; currency: string } | undefined };

export type SaleRows<Row> = { rows: RowSource<Row>; saleOf(row: Row, index: number): SaleNight };

type PriceSummary = { currency: string; lowest: string; highest: string; average: string };

/** `rooms` is the range of free rooms per night. `problems` counts the nights that can't be sold, by reason. */
export type SelectionSummary = {
  first: string;
  last: string;
  rows: number;
  nights: number;
  prices: readonly PriceSummary[];
  rooms: { fewest: number; most: number } | undefined;
  problems: readonly { state: SaleState; nights: number }[];
};

export function selectionSummary<Row>(context: GridContext, rows: readonly Row[], view: SaleRows<Row>): SelectionSummary | undefined {
  const { selection } = context.query;
  if (selection === undefined) return undefined;
  const indexes = context.days.flatMap((_, index) => (isNightSelected(selection, context.first + index) ? [index] : []));
  const selectedRows = rows.filter((row) => isSelected(selection, view.rows.laneOf(row)));
  const columns = indexes.map((index) =>
    selectedRows.map((row) => ({ ...view.saleOf(row, index), category: view.rows.laneOf(row).category })),
  );
  const nights = columns.flat();
  return {
    first: formatNight(selection.first),
    last: formatNight(selection.last),
    rows: selectedRows.length,
    nights: indexes.length,
    prices: [...Map.groupBy(nights, ({ price }) => price?.currency)].flatMap(([currency, all]) =>
      currency === undefined
        ? []
        : [
            summarizePrices(
              currency,
              all.map(({ price }) => price!.minor),
            ),
          ],
    ),
    rooms: valueRange(columns.map(countFreeRooms)),
    problems: [...Map.groupBy(nights, ({ verdict }) => verdict.state)].flatMap(([state, all]) =>
      PROBLEM_FREE_STATES.has(state) ? [] : [{ state, nights: all.length }],
    ),
  };
}

const PROBLEM_FREE_STATES: ReadonlySet<SaleState> = new Set(["sellable", "past", "beyond horizon"]);

function summarizePrices(currency: string, all: readonly number[]): PriceSummary {
  const format = (minor: number) => readableAmount(Math.round(minor), currency);
  const average = all.reduce((sum, minor) => sum + minor, 0) / all.length;
  return { currency, lowest: format(Math.min(...all)), highest: format(Math.max(...all)), average: format(average) };
}

/** Counts each category once, because its plans sell the same rooms. */
function countFreeRooms(night: readonly (SaleNight & { category: string })[]): number | undefined {
  const roomsByCategory = new Map(night.flatMap(({ category, rooms }) => (rooms === undefined ? [] : [[category, rooms] as const])));
  return roomsByCategory.size === 0 ? undefined : [...roomsByCategory.values()].reduce((sum, rooms) => sum + rooms, 0);
}

function valueRange(all: readonly (number | undefined)[]): SelectionSummary["rooms"] {
  const knownValues = all.filter((value) => value !== undefined);
  return knownValues.length === 0 ? undefined : { fewest: Math.min(...knownValues), most: Math.max(...knownValues) };
}
