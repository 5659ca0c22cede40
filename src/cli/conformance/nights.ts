import type { Night } from "../../calendar/night.ts";
import type { ColumnValue, Kind } from "../../calendar/operation.ts";
import type { Database } from "../../db/database.ts";
import { readNights } from "../../journal/nights.ts";

/** Where a value is held: `lane` is empty, a single room or a rate plan. */
export type Place = { kind: Kind; category: string; lane: string };
export type NightValues = Readonly<Record<string, ColumnValue>>;

/** What is held of some nights of a property. */
export type Snapshot = {
  at(place: Place, night: Night): NightValues;
  lanes: readonly Place[];
};

/** Takes what is held now. */
export async function takeSnapshot(
  database: Database,
  property: string,
  { first, last }: { first: Night; last: Night },
): Promise<Snapshot> {
  const lanes = new Map<string, ReadonlyMap<string, readonly (ColumnValue | undefined)[]>>();
  const places: Place[] = [];
  for (const kind of ["inventory", "rate"] as const) {
    for (const { category, lane, columns } of await readNights(database, { property, kind, first, last })) {
      places.push({ kind, category, lane });
      lanes.set(keyOf({ kind, category, lane }), columns);
    }
  }
  const at = (place: Place, night: Night): NightValues => {
    const columns = [...(lanes.get(keyOf(place)) ?? [])].map(([column, values]) => [column, values[night - first]] as const);
    return Object.fromEntries(columns.filter((pair): pair is [string, ColumnValue] => pair[1] !== undefined));
  };
  return { at, lanes: places };
}

function keyOf({ kind, category, lane }: Place): string {
  return JSON.stringify([kind, category, lane]);
}
