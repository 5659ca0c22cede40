import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
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
/** Records are small, but those of a message that changes all rates of a hotel have megabytes. */
const BYTES_AT_ONCE = 8_000_000;

/**
 * Undo records, newest first, in batches with other work in between.
 *
 * Read the pages first, then these. A message may be stored in between: reverting it in a page that was read before changes nothing,
 * while a page that was read after it would keep its values if its record were missing here.
 */
export async function* readUndos(database: Database, scope: UndoScope): AsyncGenerator<Undo[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const listed = await listUndos(database, scope, before);
    const old = listed.findIndex(({ at }) => at <= (scope.afterAt ?? -1));
    const wanted = old === -1 ? listed : listed.slice(0, old);
    for (const some of bySize(wanted)) {
      const rows = await readSome(database, scope, some);
      yield rows.flatMap(({ message, at, undo }) => undosIn(undo, scope).map((one) => ({ ...one, message, at })));
      await nextTurn();
    }
    if (wanted.length < AT_ONCE) return;
    before = wanted.at(-1)!.message;
  }
}

type Listed = { message: number; at: number; bytes: number };

/** Those of the property's messages, whose ids are in the order of time. */
function listUndos(database: Database, scope: UndoScope, before: number): Promise<Listed[]> {
  const records = recordsOf(database, scope).select(["night_undo.message", "at", sql<number>`length(undo)`.as("bytes")]);
  return records.where("id", "<", before).limit(AT_ONCE).execute();
}

/** Lists of records that are read at once: at least one each. */
function bySize(listed: readonly Listed[]): Listed[][] {
  const lists: Listed[][] = [];
  let room = 0;
  for (const one of listed) {
    room -= one.bytes;
    if (room >= 0) lists.at(-1)!.push(one);
    else {
      lists.push([one]);
      room = BYTES_AT_ONCE - one.bytes;
    }
  }
  return lists;
}

function readSome(database: Database, scope: UndoScope, some: readonly Listed[]) {
  const records = recordsOf(database, scope).select(["night_undo.message", "at", "undo"]);
  return records.where("id", "<=", some[0]!.message).where("id", ">=", some.at(-1)!.message).execute();
}

function recordsOf({ read }: Database, { property, afterMessage }: UndoScope) {
  return read
    .selectFrom("message")
    .innerJoin("night_undo", "night_undo.message", "message.id")
    .where("property", "=", property)
    .where("id", ">", afterMessage ?? 0)
    .orderBy("id", "desc");
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
