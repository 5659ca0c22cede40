import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Kind } from "../calendar/operation.ts";
import type { Database } from "../db/database.ts";
import type { NightUndoRow } from "../db/schema.ts";

/** Which undo records; without `categories` or `lanes` those of all. */
export type UndoScope = {
  property: string;
  kind: Kind;
  categories?: readonly string[] | undefined;
  lanes?: readonly string[] | undefined;
  firstSpan: number;
  lastSpan: number;
  /** Only what was decided after that moment. */
  afterAt?: number;
  /** Only what messages after this one changed. */
  afterMessage?: number;
};

type Undo = Pick<NightUndoRow, "category" | "lane" | "span" | "message" | "at" | "undo">;

const AT_ONCE = 1_000;

/**
 * Undo records, newest first within each page, some at a time; other work goes on in between.
 *
 * Read them after the pages that they go with: the undo of a message that came in between changes nothing in a page
 * from before it, but without it a page from after it would show too much.
 */
export async function* readUndos(database: Database, scope: UndoScope): AsyncGenerator<Undo[]> {
  let rows = await readSome(database, scope, undefined);
  yield rows;
  while (rows.length === AT_ONCE) {
    await nextTurn();
    rows = await readSome(database, scope, rows.at(-1));
    yield rows;
  }
}

/** In the order of the primary key, backwards. */
function readSome({ read }: Database, scope: UndoScope, last: Undo | undefined): Promise<Undo[]> {
  const { property, kind, categories, lanes, firstSpan, lastSpan, afterAt, afterMessage } = scope;
  let query = read
    .selectFrom("night_undo")
    .select(["category", "lane", "span", "message", "at", "undo"])
    .where((undo) => undo.and({ property, kind }))
    .where("span", ">=", firstSpan)
    .where("span", "<=", lastSpan);
  if (categories) query = query.where("category", "in", categories);
  if (lanes) query = query.where("lane", "in", lanes);
  if (afterAt !== undefined) query = query.where("at", ">", afterAt);
  if (afterMessage !== undefined) query = query.where("message", ">", afterMessage);
  if (last)
    query = query.where(sql<boolean>`(category, lane, span, message) < (${last.category}, ${last.lane}, ${last.span}, ${last.message})`);
  return query
    .orderBy("category", "desc")
    .orderBy("lane", "desc")
    .orderBy("span", "desc")
    .orderBy("message", "desc")
    .limit(AT_ONCE)
    .execute();
}
