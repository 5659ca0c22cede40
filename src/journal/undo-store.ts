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
/** Records are small, but those of a message that changes all rates of a hotel have megabytes: longer ones are read one by one. */
const SMALL_BYTES = 8_000;

/**
 * Undo records, newest first, in batches with other work in between.
 *
 * Read the pages first, then these. A message may be stored in between: reverting it in a page that was read before changes nothing,
 * while a page that was read after it would keep its values if its record were missing here.
 */
export async function* readUndos(database: Database, scope: UndoScope): AsyncGenerator<Undo[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
    const rows = await readSome(database, scope, before);
    const old = rows.findIndex(({ at }) => at <= (scope.afterAt ?? -1));
    const wanted = old === -1 ? rows : rows.slice(0, old);
    const undos: Undo[] = [];
    for (const row of wanted) {
      undos.push(...undosIn(row, row.undo ?? (await readLarge(database, row.message)), scope));
      if (!row.undo) yield undos.splice(0);
    }
    yield undos;
    if (wanted.length < AT_ONCE) return;
    before = wanted.at(-1)!.message;
  }
}

/** By the property's messages, whose ids are in the order of time; large records are null. */
function readSome({ read }: Database, { property, afterMessage }: UndoScope, before: number) {
  return read
    .selectFrom("message")
    .innerJoin("night_undo", "night_undo.message", "message.id")
    .select([
      "night_undo.message",
      "at",
      sql<Uint8Array | null>`case when length(undo) <= ${sql.lit(SMALL_BYTES)} then undo end`.as("undo"),
    ])
    .where("property", "=", property)
    .where("id", "<", before)
    .where("id", ">", afterMessage ?? 0)
    .orderBy("id", "desc")
    .limit(AT_ONCE)
    .execute();
}

/** Undefined when it was removed meanwhile. */
async function readLarge({ read }: Database, message: number): Promise<Uint8Array | undefined> {
  await nextTurn();
  return (await read.selectFrom("night_undo").select("undo").where("message", "=", message).executeTakeFirst())?.undo;
}

type Origin = Pick<Undo, "message" | "at">;

function undosIn({ message, at }: Origin, packed: Uint8Array | undefined, scope: UndoScope): Undo[] {
  if (!packed) return [];
  const { kind, categories, lanes, firstSpan, lastSpan } = scope;
  const wanted = unpackUndos(packed).filter(
    (one) =>
      one.kind === kind &&
      one.span >= firstSpan &&
      one.span <= lastSpan &&
      (categories?.includes(one.category) ?? true) &&
      (lanes?.includes(one.lane) ?? true),
  );
  return wanted.map((one) => ({ ...one, message, at }));
}
