import type { Database } from "../../db/database.ts";
import type { ChangeRow } from "../../db/schema.ts";
import { findUndo, readSmallUndos, unpackUndos } from "../undo-store.ts";
import type { Cursor } from "./cursor.ts";
import { type ChangedRow, changedRows } from "./expand.ts";
import { sequenceChanges } from "./sequence.ts";

export const CHANGE_KINDS = ["inventory", "rates", "record"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Defaults to all properties and kinds. */
export type FeedFilter = { properties?: readonly string[] | undefined; kinds?: readonly ChangeKind[] | undefined };

/** `at` is in milliseconds since 1970. A record change has a category or a plan, unless the property itself changed. */
export type FeedChange = (ChangedRow | { kind: "record"; category?: string | undefined; plan?: string | undefined }) & {
  cursor: Cursor;
  at: number;
  property: string;
  message: number | undefined;
};

/** `next` is the cursor to continue from, even if nothing matched. `isLast` means that nothing followed `next`. */
export type FeedPage = { changes: FeedChange[]; next: Cursor; isLast: boolean };

/** Thrown if changes after a cursor were deleted, or if the database never had them. The consumer has to start again with a snapshot. */
export class ExpiredCursorError extends Error {
  override readonly name = "ExpiredCursorError";
}

const BATCH_SIZE = 1_000;

/** Returns the cursor after the last committed change. */
export async function findTipCursor(database: Database): Promise<Cursor> {
  return cursorAfter(database, await sequenceChanges(database));
}

/** Returns the cursor before the oldest stored change. */
export async function findFirstCursor(database: Database): Promise<Cursor> {
  const tip = await sequenceChanges(database);
  const first = await findOldestPosition(database);
  return first === undefined ? cursorAfter(database, tip) : { position: first, skip: 0, at: 0 };
}

type ReadRange = { after: Cursor; tip: number; limit: number };

/** Reads up to `limit` changes after a cursor, up to the position `tip`. Throws `ExpiredCursorError`. */
export async function readChanges(
  database: Database,
  { properties, kinds }: FeedFilter,
  { after, tip, limit }: ReadRange,
): Promise<FeedPage> {
  const rows = await readRows(database, { properties, kinds }, { after, tip, limit: Math.min(limit, BATCH_SIZE) });
  await checkCursor(database, after, tip);
  const changes: FeedChange[] = [];
  for (const row of rows) {
    const skip = row.position === after.position ? after.skip : 0;
    changes.push(...(await expandRow(database, row)).slice(skip).filter(({ kind }) => kinds?.includes(kind) ?? true));
    if (changes.length > limit) return { changes: changes.slice(0, limit), next: changes[limit - 1]!.cursor, isLast: false };
  }
  const isLast = rows.length < Math.min(limit, BATCH_SIZE);
  const last = rows.at(-1);
  const nextCursor = isLast ? await cursorAfter(database, tip) : { position: last!.position + 1, skip: 0, at: last!.at };
  return { changes, next: nextCursor, isLast };
}

type FeedRow = Omit<ChangeRow, "outbox"> & { undo?: Uint8Array | null | undefined };

/** Reads the undo records after the changes. If they are deleted in between, so are the changes, which `checkCursor` notices. */
async function readRows({ read }: Database, { properties, kinds }: FeedFilter, { after, tip, limit }: ReadRange): Promise<FeedRow[]> {
  let changes = read
    .selectFrom("change")
    .select(["position", "at", "property", "message", "kind", "category", "plan"])
    .where("position", ">=", after.position)
    .where("position", "<=", tip)
    .orderBy("position")
    .limit(limit);
  if (properties) changes = changes.where("property", "in", [...properties]);
  if (kinds && !kinds.includes("record")) changes = changes.where("kind", "=", "nights");
  if (kinds?.every((kind) => kind === "record")) changes = changes.where("kind", "=", "record");
  const rows = await changes.execute();
  const messages = rows.filter(({ kind }) => kind === "nights").map(({ message }) => message!);
  const undos = messages.length === 0 ? [] : await readSmallUndos(read, messages).execute();
  const undoByMessage = new Map(undos.map(({ message, undo }) => [message, undo]));
  return rows.map((row) => ({ ...row, undo: undoByMessage.get(row.message ?? 0) }));
}

/** Checks that no changes after the cursor were deleted. Call after reading the changes, to notice deletions in the meantime. */
async function checkCursor(database: Database, { position, skip, at }: Cursor, tip: number): Promise<void> {
  const oldestPosition = await findOldestPosition(database);
  if (position < (oldestPosition ?? tip + 1)) throw new ExpiredCursorError("Some changes after this cursor have been deleted");
  if (position > tip + 1) throw new ExpiredCursorError("This cursor is from a database that has since been replaced");
  const knownTime = at === 0 ? undefined : await findPositionTime(database, skip === 0 ? position - 1 : position);
  if (knownTime !== undefined && knownTime !== at)
    throw new ExpiredCursorError("This cursor is from a database that has since been replaced");
}

async function findOldestPosition({ read }: Database): Promise<number | undefined> {
  const row = await read
    .selectFrom("change")
    .select(({ fn }) => fn.min<number | null>("position").as("oldest"))
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}

async function cursorAfter(database: Database, position: number): Promise<Cursor> {
  return { position: position + 1, skip: 0, at: (await findPositionTime(database, position)) ?? 0 };
}

async function findPositionTime({ read }: Database, position: number): Promise<number | undefined> {
  return (await read.selectFrom("change").select("at").where("position", "=", position).executeTakeFirst())?.at;
}

async function expandRow(database: Database, row: FeedRow): Promise<FeedChange[]> {
  const { position, at, property } = row;
  const changes = await readChangedRows(database, row);
  return changes.map((change, index) => ({
    ...change,
    cursor: index + 1 < changes.length ? { position, skip: index + 1, at } : { position: position + 1, skip: 0, at },
    at,
    property,
    message: row.message ?? undefined,
  }));
}

async function readChangedRows(database: Database, { kind, property, category, plan, message, undo }: FeedRow) {
  if (kind === "record") return [{ kind, category: category ?? undefined, plan: plan ?? undefined }] as const;
  const packedUndo = undo ?? (await findUndo(database, { property, message: message! }));
  if (packedUndo === undefined) throw new ExpiredCursorError("Some changes after this cursor have been deleted");
  return changedRows(unpackUndos(packedUndo));
}

/** Returns each property's last position after `after`. */
export async function changedProperties({ read }: Database, after: number, tip: number): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .selectFrom("change")
    .select(({ fn }) => ["property", fn.max("position").as("position")])
    .where("position", ">", after)
    .where("position", "<=", tip)
    .groupBy("property")
    .execute();
  return new Map(rows.map(({ property, position }) => [property, position]));
}
