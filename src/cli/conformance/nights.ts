import type { AttributeValue } from "../../calendar/attributes.ts";
import { type LaneKey, laneName } from "../../calendar/lane.ts";
import type { Night } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { readNights } from "../../journal/nights.ts";

export type NightValues = Readonly<Record<string, AttributeValue>>;

/** What is held of some nights of a property. */
export type Snapshot = {
  at(place: LaneKey, night: Night): NightValues;
  lanes: readonly LaneKey[];
};

/** Takes what is held now. */
export async function takeSnapshot(
  database: Database,
  property: string,
  { first, last }: { first: Night; last: Night },
): Promise<Snapshot> {
  const lanes = new Map<string, ReadonlyMap<string, readonly (AttributeValue | undefined)[]>>();
  const places: LaneKey[] = [];
  for (const kind of ["inventory", "rate"] as const) {
    for (const { category, lane, columns } of await readNights(database, { property, kind, first, last })) {
      places.push({ kind, category, lane });
      lanes.set(laneName({ kind, category, lane }), columns);
    }
  }
  const at = (place: LaneKey, night: Night): NightValues => {
    const columns = [...(lanes.get(laneName(place)) ?? [])].map(([column, values]) => [column, values[night - first]] as const);
    return Object.fromEntries(columns.filter((pair): pair is [string, AttributeValue] => pair[1] !== undefined));
  };
  return { at, lanes: places };
}
