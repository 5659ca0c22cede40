import { type LaneKey, laneName } from "../calendar/lane.ts";
import type { Night } from "../calendar/night.ts";
import { saleDates } from "../calendar/sale.ts";
import type { Database } from "../db/database.ts";
import { type Html, html, emptyHtml } from "../web/html.ts";
import type { GridContext } from "./context.ts";
import { daysFrom } from "./day.ts";
import { findGridRows, type RowSource } from "./rows.ts";
import type { GridRow, NightState } from "./table.ts";

/** The values of one night to compare. There is no difference between values with different units. */
export type ComparedNight = { value: number | undefined; unit: string; state: NightState };

/** Describes how to compare a grid's rows. `json` returns a machine-readable value. */
export type ComparedRows<Row> = {
  nightOf(row: Row, index: number): ComparedNight;
  format(value: number, unit: string): string;
  json(value: number, unit: string): string | number;
};

/** A night and the night that it is compared with. `change` is undefined if either value is missing or their units differ. */
export type NightPair = { now: ComparedNight; before: ComparedNight; change: number | undefined };

/** A pair whose values or states differ. */
export type NightDifference = NightPair;

/** `hasData` is false if nothing was received for the other nights, so there is nothing to compare. `pairs` has every night of every row. */
export type GridDifferences<Row> = {
  other: GridContext;
  rows: readonly Row[];
  hasData: boolean;
  pairs: readonly (readonly NightPair[])[];
  ofRows: readonly (readonly (NightDifference | undefined)[])[];
};

/** A year, in nights. A multiple of seven, so that weekdays match. */
const NIGHTS_PER_YEAR = 364;

/** Returns the grid to compare with, or undefined if the query has no comparison. */
export function otherContext(context: GridContext): GridContext | undefined {
  const { query, first } = context;
  const { compare } = query;
  if (compare === undefined) return undefined;
  if (compare === "year") return withFirstNight(context, first - NIGHTS_PER_YEAR);
  return "at" in compare ? { ...context, query: { ...query, asOf: compare.at } } : withFirstNight(context, compare.from);
}

function withFirstNight(context: GridContext, first: Night): GridContext {
  const { property, query, dates, today } = context;
  return {
    ...context,
    first,
    days: daysFrom(first, query.days, today),
    dates: saleDates(property, { first, count: query.days, today: context.first + dates.past }),
  };
}

/** Reads a grid's rows, including rows that only `other` has, and their differences. */
export async function readDifferences<Row>(
  database: Database,
  { context, other }: { context: GridContext; other: GridContext },
  { rows: source, compared }: { rows: RowSource<Row>; compared: ComparedRows<Row> },
): Promise<GridDifferences<Row>> {
  const otherRows = await source.read(other, []);
  const lanes = otherRows.map(source.laneOf);
  const mergedSource = { ...source, read: (one: GridContext, include: readonly LaneKey[]) => source.read(one, [...lanes, ...include]) };
  const rows = await findGridRows(database, context, mergedSource);
  const otherRowsByLane = new Map(otherRows.map((row) => [laneName(source.laneOf(row)), row]));
  const isSameNights = other.first === context.first;
  const hasData = isSameNights || otherRows.some((row) => context.days.some((_, index) => compared.nightOf(row, index).state !== "gap"));
  const pairs = rows.map((row) => {
    const before = otherRowsByLane.get(laneName(source.laneOf(row)));
    return context.days.map((_, index) => toPair(compared.nightOf(row, index), before ? compared.nightOf(before, index) : NO_DATA));
  });
  const differences = pairs.map((nights) => (hasData ? nights.map(findDifference) : []));
  return { other, rows, hasData, pairs, ofRows: differences };
}

const NO_DATA: ComparedNight = { value: undefined, unit: "", state: "gap" };

function toPair(now: ComparedNight, before: ComparedNight): NightPair {
  const areBothKnown = now.value !== undefined && before.value !== undefined && now.unit === before.unit;
  return { now, before, change: areBothKnown ? now.value! - before.value! : undefined };
}

function findDifference(pair: NightPair): NightDifference | undefined {
  const { now, before, change } = pair;
  const isSameValue = change === 0 || (now.value === undefined && before.value === undefined);
  return isSameValue && saleState(now) === saleState(before) ? undefined : pair;
}

function saleState({ state }: ComparedNight): "closed" | "sold out" | "open" {
  if (state === "zero") return "sold out";
  return state === "closed" ? "closed" : "open";
}

/** Adds differences to a grid's cells. The differences are in the same order as the rows. */
export function withDifferences<Row>(
  rows: readonly GridRow[],
  { ofRows }: GridDifferences<Row>,
  format: ComparedRows<Row>["format"],
): GridRow[] {
  return rows.map((row, at) => ({
    ...row,
    cells: row.cells.map((cell, index) => {
      const difference = ofRows[at]?.[index];
      return difference === undefined ? cell : { ...cell, content: html`${cell.content} ${differenceHtml(difference, format)}` };
    }),
  }));
}

function differenceHtml({ now, before, change }: NightDifference, format: ComparedRows<unknown>["format"]): Html {
  const value = valueBefore(now, before, format);
  if (change)
    return html`<em class="${change > 0 ? "up" : "down"}">${formatSigned(change, now.unit, format)}</em
      >${value}${closingHtml(now, before)}`;
  if (now.value !== undefined && before.value === undefined) return html`<em>new</em>${closingHtml(now, before)}`;
  return html`${change === 0 ? emptyHtml : value}${saleState(now) === saleState(before) ? emptyHtml : formerStateHtml(before)}`;
}

function valueBefore(now: ComparedNight, { value, unit }: ComparedNight, format: ComparedRows<unknown>["format"]): Html {
  if (value === undefined) return emptyHtml;
  return html` <small>was ${format(value, unit)}${unit === now.unit ? "" : ` ${unit}`}</small>`;
}

/** Returns nothing if a count is 0, because the 0 already shows that the night is or was sold out. */
function closingHtml(now: ComparedNight, before: ComparedNight): Html {
  const hasChanged = (saleState(now) === "closed") !== (saleState(before) === "closed");
  return hasChanged && before.state !== "gap" ? formerStateHtml(before) : emptyHtml;
}

function formerStateHtml(before: ComparedNight): Html {
  return html` <small>${before.state === "gap" ? "no data before" : `was ${saleState(before)}`}</small>`;
}

/** Formats a change with its sign. Uses a real minus sign, which is as wide as a plus sign. */
function formatSigned(change: number, unit: string, format: ComparedRows<unknown>["format"]): string {
  return `${change > 0 ? "+" : "−"}${format(Math.abs(change), unit)}`;
}

export function countDifferences<Row>({ ofRows }: GridDifferences<Row>): number {
  return ofRows.reduce((sum, nights) => sum + nights.filter((one) => one !== undefined).length, 0);
}
