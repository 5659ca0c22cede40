import { decodePage } from "../calendar/codec.ts";
import { groupOf } from "../calendar/column.ts";
import type { Night } from "../calendar/night.ts";
import type { Column, ColumnValue, Kind } from "../calendar/operation.ts";
import { fromCell, spanOf } from "../calendar/page.ts";
import { valuesBefore } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import { findPage, type PageKey } from "./page-store.ts";

export type NightQuery = { property: string; kind: Kind; category: string; lane: string; night: Night };

/** What one message changed in a night. Sender and root are absent when the message is no longer in the log. */
export type NightEvent = {
  message: number;
  /** Milliseconds since 1970. */
  at: number;
  sender: string | undefined;
  root: string | undefined;
  changes: { column: Column; from: ColumnValue | undefined; to: ColumnValue | undefined }[];
};

/** More than a person reads. */
const LIMIT = 1_000;

/** Every change of a night, newest first, as far back as the log reaches. */
export async function nightHistory(database: Database, query: NightQuery): Promise<NightEvent[]> {
  const { night, ...lane } = query;
  const key = { ...lane, span: spanOf(night) };
  const values = await readValues(database, key, night);
  const events: NightEvent[] = [];
  for (const { undo, message, at, sender, root } of await readUndos(database, key)) {
    const changes = takeBack(values, valuesBefore(key.span, undo, night));
    if (changes.length > 0) events.push({ message, at, sender: sender ?? undefined, root: root ?? undefined, changes });
  }
  return events;
}

async function readValues(database: Database, key: PageKey, night: Night): Promise<Map<Column, ColumnValue | undefined>> {
  const stored = await findPage(database, key);
  if (!stored) return new Map();
  const page = decodePage(key.span, stored);
  return new Map([...page.columns].map(([column, cells]) => [column, fromCell(page, column, cells[night - page.first]!)]));
}

/** Puts `before` into `values`; returns what that changed, as it went forward in time. */
function takeBack(values: Map<Column, ColumnValue | undefined>, before: Map<Column, ColumnValue | undefined>): NightEvent["changes"] {
  const changes = [...before].map(([column, from]) => ({ column, from, to: values.get(column) }));
  for (const [column, from] of before) values.set(column, from);
  return changes.filter(({ column, from, to }) => groupOf(column) !== undefined && from !== to);
}

function readUndos({ read }: Database, { property, kind, category, lane, span }: PageKey) {
  return read
    .selectFrom("night_undo as u")
    .leftJoin("message as m", "m.id", "u.message")
    .select(["u.undo", "u.message", "u.at", "m.sender", "m.root"])
    .where((row) => row.and({ "u.property": property, "u.kind": kind, "u.category": category, "u.lane": lane, "u.span": span }))
    .orderBy("u.message", "desc")
    .limit(LIMIT)
    .execute();
}
