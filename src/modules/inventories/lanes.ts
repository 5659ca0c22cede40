import type { LaneNights } from "../../calendar/lane-nights.ts";
import type { Kind } from "../../calendar/operation.ts";
import type { Database } from "../../db/database.ts";
import type { GridScene } from "../../grid/grid-scene.ts";
import { readNights } from "../../journal/nights.ts";

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
