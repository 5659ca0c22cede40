import { formatNight } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { formatCursor } from "../../journal/feed/cursor.ts";
import type { FeedChange } from "../../journal/feed/store.ts";
import type { FeedQuery } from "./query.ts";
import { readValues } from "./values.ts";

/** Returns changes in their public form, with the values of their nights if the query includes them. */
export async function changesJson(
  database: Database,
  changes: readonly FeedChange[],
  { withValues }: Pick<FeedQuery, "withValues">,
): Promise<object[]> {
  const values = withValues ? await readValues(database, changes) : undefined;
  return changes.map((change) => {
    const { cursor, at, property, message, ...row } = change;
    const nights = values?.get(change) ?? nightsJson(row);
    return { cursor: formatCursor(cursor), time: new Date(at).toISOString(), property, ...row, nights, message };
  });
}

function nightsJson(row: Pick<FeedChange, "kind">): object[] | undefined {
  return "nights" in row ? (row as Extract<FeedChange, { nights: unknown }>).nights.map(rangeJson) : undefined;
}

function rangeJson({ first, last }: { first: number; last: number }): object {
  return { first: formatNight(first), last: formatNight(last) };
}
