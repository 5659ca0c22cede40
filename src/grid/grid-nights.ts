import type { LaneNights } from "../calendar/lane-nights.ts";
import type { Kind } from "../calendar/operation.ts";
import type { Database } from "../db/database.ts";
import { readNights } from "../journal/nights.ts";
import type { GridScene } from "./grid-scene.ts";
import { laneKey, updatedLanes } from "./store.ts";

/** The nights of a grid, of one kind, in every lane; as they were at `asOf` where it is asked for. */
export function gridNights(database: Database, scene: GridScene, kind: Kind): Promise<LaneNights[]> {
  const { property, query, first } = scene;
  return readNights(database, {
    property: property.code,
    kind,
    first,
    last: first + query.days - 1,
    ...(query.category !== "" && { categories: [query.category] }),
    ...(query.asOf !== undefined && { asOf: query.asOf }),
  });
}

/** A row by its lane. */
export type RowLane = { kind: Kind; category: string; lane: string };

/** The rows that no message has touched for as long as the query asks; all of them when it does not ask. */
export async function withoutUpdated<T>(
  database: Database,
  { query, property }: GridScene,
  { rows, laneOf }: { rows: T[]; laneOf(row: T): RowLane },
): Promise<T[]> {
  const since = query.updatedBefore;
  if (since === undefined) return rows;
  const [inventory, rate] = await Promise.all(
    (["inventory", "rate"] as const).map((kind) => updatedLanes(database, { property: property.code, kind, since })),
  );
  const updated = inventory!.union(rate!);
  return rows.filter((row) => {
    const { kind, category, lane } = laneOf(row);
    return !updated.has(laneKey(kind, category, lane));
  });
}
