import { type LaneKey, laneName, type LaneNights } from "../calendar/lane.ts";
import { emptyLane } from "../calendar/night-values.ts";
import { DAY_MS } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { type NightsQuery, readNights } from "../journal/nights.ts";
import { listUpdatedLanes } from "../journal/page-store.ts";
import type { GridContext } from "./context.ts";
import type { RowFilter } from "./query.ts";

export function gridNights(
  database: Database,
  context: GridContext,
  of: Pick<NightsQuery, "kind" | "groups" | "lanes">,
): Promise<LaneNights[]> {
  const { property, query, first } = context;
  return readNights(database, {
    ...of,
    property: property.code,
    first,
    last: first + query.days - 1,
    ...(query.category !== "" && { categories: [query.category] }),
    asOf: query.asOf,
  });
}

/** The restrictions that are stored without a rate plan and apply to the whole category. */
export const CATEGORY_RESTRICTIONS = { kind: "rate", groups: ["restrictions"], lanes: [""] } as const;

export type RowSource<T> = {
  /** Reads the rows with data, and rows for the lanes in `include` even if they have none. */
  read(context: GridContext, include: readonly LaneKey[]): Promise<T[]>;
  laneOf(row: T): LaneKey;
  valuesOf(row: T): readonly string[];
  matches(row: T, filter: RowFilter): boolean;
};

export async function findGridRows<T>(database: Database, context: GridContext, source: RowSource<T>): Promise<T[]> {
  const { only, updatedBefore, changedSince } = context.query;
  if (changedSince !== undefined) return changedRows(context, source, changedSince);
  const rows = await source.read(context, []);
  if (only === undefined) return rows;
  if (updatedBefore === undefined) return rows.filter((row) => source.matches(row, only));
  const updatedLanes = await findUpdatedLanes(database, context.property.code, updatedBefore);
  return rows.filter((row) => !updatedLanes.has(laneName(source.laneOf(row))));
}

export function withLanes(lanes: readonly LaneNights[], include: readonly LaneKey[]): LaneNights[] {
  const rowName = ({ category, lane }: LaneNights | LaneKey) => `${category}\n${lane}`;
  const rowNames = new Set(lanes.map(rowName));
  const missingLanes = include.filter((one) => !rowNames.has(rowName(one)));
  return [...lanes, ...missingLanes.map(({ category, lane }) => emptyLane(category, lane))];
}

async function findUpdatedLanes(database: Database, property: string, since: number): Promise<Set<string>> {
  const kinds = ["inventory", "rate"] as const;
  const [inventory, rate] = await Promise.all(kinds.map((kind) => listUpdatedLanes(database, { property, kind, since })));
  return inventory!.union(rate!);
}

/** Returns the rows that changed after `since`, including new rows and rows that lost all their data. */
async function changedRows<T>(context: GridContext, source: RowSource<T>, since: number): Promise<T[]> {
  const before = await source.read(contextAsOf(context, since), []);
  const rows = await source.read(context, before.map(source.laneOf));
  const changedMarks = markChangedNights(source, before, rows);
  return rows.filter((_, at) => changedMarks[at]!.includes(true));
}

/** How long a changed night stays marked in a grid. */
const RECENT_CHANGE_MS = DAY_MS;

/** Returns, for each row, which nights changed in the last day, or an empty list if nothing in the property changed. */
export async function recentChanges<T>(
  database: Database,
  context: GridContext,
  { source, rows }: { source: RowSource<T>; rows: readonly T[] },
): Promise<boolean[][]> {
  const since = (context.query.asOf ?? context.now) - RECENT_CHANGE_MS;
  const updatedLanes = await findUpdatedLanes(database, context.property.code, since);
  if (updatedLanes.size === 0) return [];
  return markChangedNights(source, await source.read(contextAsOf(context, since), rows.map(source.laneOf)), rows);
}

function contextAsOf(context: GridContext, moment: number): GridContext {
  return { ...context, query: { ...context.query, asOf: moment } };
}

function markChangedNights<T>({ laneOf, valuesOf }: RowSource<T>, before: readonly T[], rows: readonly T[]): boolean[][] {
  const valuesBefore = new Map(before.map((row) => [laneName(laneOf(row)), valuesOf(row)]));
  return rows.map((row) => {
    const earlierValues = valuesBefore.get(laneName(laneOf(row)));
    return valuesOf(row).map((values, night) => values !== earlierValues?.[night]);
  });
}
