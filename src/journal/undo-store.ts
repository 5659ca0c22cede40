import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import type { PageScope } from "./page-store.ts";
import { type PageUndo, unpackUndos } from "./undo-list.ts";

/** Undo records of pages. */
type UndoScope = PageScope & {
  /** Only decided after that moment. */
  afterAt?: number;
  /** Only by messages after this one. */
  afterMessage?: number;
};

export type Undo = PageUndo & { message: number; at: number };

const AT_ONCE = 1_000;

/**
 * Undo records, newest first, in batches with other work in between.
 *
 * Read the pages first, then these. A message may be stored in between: reverting it in a page that was read before changes nothing,
 * while a page that was read after it would keep its values if its record were missing here.
 */
export async function* readUndos(database: Database, scope: UndoScope): AsyncGenerator<Undo[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
    const rows = await readSome(database, scope, before);
    const wanted = rows.filter(({ at }) => at > (scope.afterAt ?? -1));
    yield wanted.flatMap(({ message, at, undo }) => undosIn(undo, scope).map((one) => ({ ...one, message, at })));
    if (wanted.length < AT_ONCE) return;
    before = rows.at(-1)!.message;
  }
}

/** By the property's messages, whose ids are in the order of time. */
function readSome({ read }: Database, { property, afterMessage }: UndoScope, before: number) {
  return read
    .selectFrom("message")
    .innerJoin("night_undo", "night_undo.message", "message.id")
    .select(["night_undo.message", "at", "undo"])
    .where("property", "=", property)
    .where("id", "<", before)
    .where("id", ">", afterMessage ?? 0)
    .orderBy("id", "desc")
    .limit(AT_ONCE)
    .execute();
}

function undosIn(packed: Uint8Array, { kind, categories, lanes, firstSpan, lastSpan }: UndoScope): PageUndo[] {
  return unpackUndos(packed).filter(
    (one) =>
      one.kind === kind &&
      one.span >= firstSpan &&
      one.span <= lastSpan &&
      (categories?.includes(one.category) ?? true) &&
      (lanes?.includes(one.lane) ?? true),
  );
}
