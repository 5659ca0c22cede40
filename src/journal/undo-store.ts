import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { PageKind } from "../calendar/attributes.ts";
import { ByteReader, ByteWriter } from "../calendar/bytes.ts";
import type { Database } from "../db/database.ts";
import { onShard } from "../db/on-shard.ts";
import type { Tables } from "../db/schema.ts";
import type { PageScope } from "./page-store.ts";

type UndoScope = PageScope & {
  afterAt?: number;
  afterMessage?: number;
};

export type StoredUndo = PageUndo & { message: number; at: number };

const BATCH_SIZE = 1_000;
/** Larger records are read one at a time. If a message changes all rates, its record is several megabytes long. */
const MAX_INLINE_BYTES = 8_000;

/**
 * Yields undo records, newest first. Read the pages before calling this, because a message may be stored in between. Reverting it in an
 * older page changes nothing, but a newer page without its undo record would keep its values.
 */
export async function* readUndos(database: Database, scope: UndoScope): AsyncGenerator<StoredUndo[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
    const ids = await listMessageIds(database, scope, before);
    if (ids.length === 0) return;
    const rows = await readSmallUndos(database.read, ids)
      .where(onShard(database, "message_property", scope.property))
      .execute();
    const old = rows.findIndex(({ at }) => at <= (scope.afterAt ?? -1));
    const undos: StoredUndo[] = [];
    for (const row of old === -1 ? rows : rows.slice(0, old)) {
      undos.push(...listUndos(row, row.undo ?? (await readLargeUndo(database, scope, row.message)), scope));
      if (!row.undo) yield undos.splice(0);
    }
    yield undos;
    if (old !== -1 || ids.length < BATCH_SIZE) return;
    before = ids.at(-1)!;
  }
}

async function listMessageIds({ read }: Database, { property, afterMessage }: UndoScope, before: number): Promise<number[]> {
  const messages = read.selectFrom("message").select("id").where("property", "=", property).where("id", "<", before);
  const rows = await messages
    .where("id", ">", afterMessage ?? 0)
    .orderBy("id", "desc")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Selects the undo records of messages by ID, newest first. `undo` is null if a record is large. A join with the messages would make
 * PostgreSQL read all records, because it assumes a lookup in every partition.
 */
export function readSmallUndos(db: Kysely<Tables>, messages: readonly number[]) {
  const small = sql<Uint8Array | null>`case when length(undo) <= ${sql.lit(MAX_INLINE_BYTES)} then undo end`;
  const undos = db.selectFrom("night_undo").select(["message", "at", small.as("undo")]);
  return undos.where("message", "in", messages).orderBy("message", "desc");
}

async function readLargeUndo(database: Database, { property }: PageScope, message: number): Promise<Uint8Array | undefined> {
  await nextTurn();
  return findUndo(database, { property, message });
}

/** Finds the packed undo record of a message. */
export async function findUndo(
  database: Database,
  { property, message }: { property: string; message: number },
): Promise<Uint8Array | undefined> {
  const undos = database.read.selectFrom("night_undo").select("undo").where("message", "=", message);
  return (await undos.where(onShard(database, "message_property", property)).executeTakeFirst())?.undo;
}

type UndoOrigin = Pick<StoredUndo, "message" | "at">;

function listUndos({ message, at }: UndoOrigin, packed: Uint8Array | undefined, scope: UndoScope): StoredUndo[] {
  if (!packed) return [];
  const { kind, categories, lanes, firstSpan, lastSpan } = scope;
  const matchingUndos = unpackUndos(packed).filter(
    (one) =>
      one.kind === kind &&
      one.span >= firstSpan &&
      one.span <= lastSpan &&
      (categories?.includes(one.category) ?? true) &&
      (lanes?.includes(one.lane) ?? true),
  );
  return matchingUndos.map((one) => ({ ...one, message, at }));
}

export type PageUndo = { kind: PageKind; category: string; lane: string; span: number; undo: Uint8Array };

const UNDO_FORMAT_VERSION = 1;
const PAGE_KINDS: readonly PageKind[] = ["inventory", "rate"];

export class UndoFormatError extends Error {
  override readonly name = "UndoFormatError";
}

const writer = new ByteWriter();

/**
 * Packs a message's undo records: byte version 1; varint count; then for each record, byte kind (0 inventory, 1 rate), category and lane as
 * varint length and UTF-8, varint span, varint length and the record.
 */
export function packUndos(undos: readonly PageUndo[]): Uint8Array {
  writer.start();
  writer.byte(UNDO_FORMAT_VERSION);
  writer.varint(undos.length);
  for (const { kind, category, lane, span, undo } of undos) {
    writer.byte(PAGE_KINDS.indexOf(kind));
    writer.text(category);
    writer.text(lane);
    writer.varint(span);
    writer.bytes(undo);
  }
  return writer.take();
}

export function unpackUndos(packed: Uint8Array): PageUndo[] {
  const reader = new ByteReader(packed);
  const version = reader.byte();
  if (version !== UNDO_FORMAT_VERSION)
    throw new UndoFormatError(`Undo records have format version ${version}; this version of Roomrack supports only ${UNDO_FORMAT_VERSION}`);
  return Array.from({ length: reader.varint() }, () => readUndo(reader));
}

function readUndo(reader: ByteReader): PageUndo {
  const kind = PAGE_KINDS[reader.byte()];
  if (kind === undefined) throw new UndoFormatError("An undo record has a page type that this version does not support");
  return { kind, category: reader.text(), lane: reader.text(), span: reader.varint(), undo: reader.byteArray() };
}
