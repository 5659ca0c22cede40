import type { LaneNights } from "../calendar/lane-nights.ts";
import { type LaneKey, laneName } from "../calendar/lane.ts";
import type { Database } from "../db/database.ts";
import { type NightsQuery, readNights } from "../journal/nights.ts";
import { updatedLanes } from "../journal/page-store.ts";
import { emptyLane } from "./lane.ts";
import type { Problem } from "./query.ts";
import type { GridScene } from "./scene.ts";

/** The nights of a grid in every lane, of one kind or only some of its groups; as they were at `asOf` if given. */
export function gridNights(database: Database, scene: GridScene, of: Pick<NightsQuery, "kind" | "groups">): Promise<LaneNights[]> {
  const { property, query, first } = scene;
  return readNights(database, {
    ...of,
    property: property.code,
    first,
    last: first + query.days - 1,
    ...(query.category !== "" && { categories: [query.category] }),
    asOf: query.asOf,
  });
}

/** How to read the rows of a grid, and tell rows and nights apart. */
export type RowSource<T> = {
  /** The rows that have something, and those of the lanes `also`, which may have nothing. */
  read(scene: GridScene, also: readonly LaneKey[]): Promise<T[]>;
  laneOf(row: T): LaneKey;
  /** What was received for each night, as text. */
  valuesOf(row: T): readonly string[];
  hasProblem(row: T, only: Problem): boolean;
};

/** The rows that the query asks for: all, or only those with a problem, a change or no update for so long. */
export async function findGridRows<T>(database: Database, scene: GridScene, source: RowSource<T>): Promise<T[]> {
  const { only, updatedBefore, changedSince } = scene.query;
  if (changedSince !== undefined) return changedRows(scene, source, changedSince);
  const rows = await source.read(scene, []);
  if (only === undefined) return rows;
  if (updatedBefore !== undefined) return withoutUpdated(database, scene, { ...source, rows, since: updatedBefore });
  return rows.filter((row) => source.hasProblem(row, only));
}

/** The lanes, and empty ones for those of `also` that are missing. */
export function withLanes(lanes: readonly LaneNights[], also: readonly LaneKey[]): LaneNights[] {
  const nameOf = ({ category, lane }: LaneNights | LaneKey) => `${category}\n${lane}`;
  const known = new Set(lanes.map(nameOf));
  const missing = also.filter((one) => !known.has(nameOf(one)));
  return [...lanes, ...missing.map(({ category, lane }) => emptyLane(category, lane))];
}

type Stale<T> = Pick<RowSource<T>, "laneOf"> & { rows: T[]; since: number };

async function withoutUpdated<T>(database: Database, { property }: GridScene, { rows, laneOf, since }: Stale<T>): Promise<T[]> {
  const [inventory, rate] = await Promise.all(
    (["inventory", "rate"] as const).map((kind) => updatedLanes(database, { property: property.code, kind, since })),
  );
  const updated = inventory!.union(rate!);
  return rows.filter((row) => !updated.has(laneName(laneOf(row))));
}

/** A row that did not exist before counts as changed, and so does one that has nothing any more. */
async function changedRows<T>(scene: GridScene, { read, laneOf, valuesOf }: RowSource<T>, since: number): Promise<T[]> {
  const before = await read({ ...scene, query: { ...scene.query, asOf: since } }, []);
  const rows = await read(scene, before.map(laneOf));
  const known = new Map(before.map((row) => [laneName(laneOf(row)), valuesOf(row)]));
  return rows.filter((row) => {
    const then = known.get(laneName(laneOf(row)));
    return then === undefined || valuesOf(row).some((values, night) => values !== then[night]);
  });
}
