import { setImmediate as nextTurn } from "node:timers/promises";
import { formatNight } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { RECEIVED_READERS, type ReceivedKey, type ReceivedRow, type ReceivedRun } from "../../grid/received.ts";
import type { ChangedRow, NightRange } from "../../journal/feed/expand.ts";
import type { FeedChange } from "../../journal/feed/store.ts";

/** Number of properties read concurrently, because a remote database takes time to respond. */
const MAX_PARALLEL_READS = 4;

type NightsChange = FeedChange & ChangedRow;

/** Reads the current values of changed nights. They may be newer than the change; in that case a later change includes the same nights. */
export async function readValues(database: Database, changes: readonly FeedChange[]): Promise<ReadonlyMap<FeedChange, ReceivedRun[]>> {
  const runsByChange = new Map<FeedChange, ReceivedRun[]>();
  const nightChanges = changes.filter((change) => change.kind !== "record");
  const groups = Map.groupBy(nightChanges, ({ property, kind }) => `${property}\n${kind}`).values();
  const readGroups = async () => {
    for (const group of groups) {
      const rows = await readRows(database, group);
      for (const change of group)
        runsByChange.set(change, rows.get(rowName(change))?.runsIn(change.nights) ?? change.nights.map(withoutValues));
      await nextTurn();
    }
  };
  // All readers share one iterator, so each group is read once.
  await Promise.all(Array.from({ length: MAX_PARALLEL_READS }, readGroups));
  return runsByChange;
}

async function readRows(database: Database, changes: readonly NightsChange[]): Promise<ReadonlyMap<string, ReceivedRow>> {
  const { property, kind } = changes[0]!;
  const ranges = changes.flatMap(({ nights }) => nights);
  const rows = await RECEIVED_READERS[kind](database, {
    property,
    categories: [...new Set(changes.map(({ category }) => category))],
    first: ranges.reduce((least, { first }) => Math.min(least, first), Infinity),
    last: ranges.reduce((most, { last }) => Math.max(most, last), -Infinity),
  });
  return new Map(rows.map((row) => [rowName(row), row]));
}

function rowName({ category, room, plan }: ReceivedKey): string {
  return JSON.stringify([category, room, plan]);
}

function withoutValues({ first, last }: NightRange): ReceivedRun {
  return { first: formatNight(first), last: formatNight(last), values: {} };
}
