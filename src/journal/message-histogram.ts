import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { firstIdAfter, firstIdSince, lastIdBefore, matchingMessages, type MessageFilters } from "./messages.ts";

/** Message counts between `from` and `to`, in milliseconds since 1970; `to` is exclusive. */
export type Bar = { from: number; to: number; accepted: number; warned: number; refused: number };

export type MessageHistogram = { bars: readonly Bar[]; isComplete: boolean };

type HistogramRange = MessageFilters & { from: number; to: number };

const BAR_COUNT = 24;
const MINUTE_MS = 60_000;
/** Maximum number of messages in the chart. Only the newest in the range are counted. */
const MAX_COUNTED_MESSAGES = 100_000;

/** Counts matching messages by time and outcome. Bars start at full minutes. */
export async function countByTime(database: Database, filters: HistogramRange): Promise<MessageHistogram> {
  const { from, to } = filters;
  const start = from - (from % MINUTE_MS);
  const width = Math.max(MINUTE_MS, Math.ceil((to - start) / BAR_COUNT / MINUTE_MS) * MINUTE_MS);
  const first = await firstIdSince(database, start);
  const oldestCountedId = (await lastIdBefore(database, to + 1)) - MAX_COUNTED_MESSAGES;
  const end = await firstIdAfter(database, to);
  const bar = sql<number>`cast((received_at - ${start}) / ${sql.lit(width)} as integer)`;
  const kind = sql<keyof Bar>`case outcome when 'ok' then 'accepted' when 'warnings' then 'warned' else 'refused' end`;
  const rows = await matchingMessages(database, { ...filters, from: start })
    .where("id", ">=", Math.max(first, oldestCountedId))
    .where("id", "<", end)
    .select((is) => [bar.as("bar"), kind.as("kind"), is.fn.countAll<number>().as("count")])
    .groupBy([sql`1`, sql`2`])
    .execute();
  const bars = Array.from({ length: Math.ceil((to + 1 - start) / width) }, (_, index) => newBar(start + index * width, width));
  for (const { bar: index, kind: name, count } of rows) if (bars[index]) bars[index][name] += count;
  return { bars, isComplete: first >= oldestCountedId };
}

function newBar(from: number, width: number): Bar {
  return { from, to: from + width, accepted: 0, warned: 0, refused: 0 };
}
