import { type SelectQueryBuilder, sql } from "kysely";
import type { NightChange } from "../calendar/change.ts";
import { contains } from "../db/contains.ts";
import type { Database } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import type { MessageRow, Tables } from "../db/schema.ts";
import { unpackBodies } from "./body.ts";
import { findChanges } from "./message-changes.ts";
import type { Notes, Outcome, Received } from "./work.ts";

/** Which messages to list; times are milliseconds since 1970, both included. */
export type MessageFilters = {
  property?: string;
  root?: string;
  outcome?: Outcome;
  sender?: string;
  via?: Received["via"];
  from?: number;
  to?: number;
  /** HTTP status of the answer. */
  status?: number;
  /** Only messages that took at least so many microseconds, or have at least so many bytes or lines. */
  micros?: number;
  bytes?: number;
  lines?: number;
  /** Part of the summary, property, echo token, message or sender, in any case. */
  text?: string;
  /** Only messages before this id. */
  before?: number;
  /** 50 when absent. */
  limit?: number;
};

/** Newest first. `before` leads to older ones, if there may be any. */
export type MessageList = { messages: MessageRow[]; before: number | undefined };

/** A message with all that is kept; a pruned one has no bodies and notes. */
export type MessageDetail = {
  message: MessageRow;
  bodies: { request: Uint8Array; answer: Uint8Array } | undefined;
  notes: Notes | undefined;
  /** What it changed; the first 1,000 runs. */
  changes: readonly NightChange[];
};

const LIMIT = 50;
/** A search that no index helps reads this many ids at once; `before` continues where it ended. */
const REACH = 20_000;
/** Ids follow time except for messages that waited; none waits this long. */
const SLACK_MS = 3_600_000;

/** Lists messages without counting or scanning the others. */
export async function listMessages(database: Database, filters: MessageFilters): Promise<MessageList> {
  const limit = filters.limit ?? LIMIT;
  const end = await endOf(database, filters);
  const first = filters.from === undefined ? 0 : await smallestIdSince(database, filters.from);
  const start = hasIndex(filters) ? first : Math.max(first, end - REACH);
  const found = await conditions(database, filters)
    .where("id", "<", end)
    .where("id", ">=", start)
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const messages = found.slice(0, limit);
  if (found.length > limit) return { messages, before: messages.at(-1)!.id };
  return { messages, before: start > first ? start : undefined };
}

/** The newest messages. */
export function listNewest({ read }: Database, limit: number): Promise<MessageRow[]> {
  return newestQuery(read, { limit });
}

const newestQuery = prepared((db, { limit }: { limit: number }) => db.selectFrom("message").selectAll().orderBy("id", "desc").limit(limit));

/** One message by its id. */
export async function findMessage(database: Database, id: number): Promise<MessageDetail | undefined> {
  const message = await database.read.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
  if (!message) return undefined;
  const kept = await findBodies(database, id);
  return {
    message,
    bodies: kept?.bodies,
    notes: kept?.notes,
    changes:
      message.changed_nights > 0 && message.property !== null
        ? await findChanges(database, { property: message.property, message: id })
        : [],
  };
}

/** The bodies and notes of a message, until it is pruned. */
export type KeptBodies = { bodies: { request: Uint8Array; answer: Uint8Array }; notes: Notes };

export async function findBodies({ read }: Database, id: number): Promise<KeptBodies | undefined> {
  const body = await read.selectFrom("message_body").selectAll().where("message", "=", id).executeTakeFirst();
  return body && { bodies: unpackBodies(body), notes: JSON.parse(body.notes) as Notes };
}

/** How many messages of a property are looked through for the one before. */
const LOOKED_THROUGH = 2_000;
const KIND = ["root", "action", "sender"] as const;

/** The message before this one of the same kind, for the same property and from the same sender, if it is not too far back. */
export function findPrevious({ read }: Database, message: MessageRow): Promise<MessageRow | undefined> {
  const before = read.selectFrom("message").selectAll().where("id", "<", message.id);
  const ofProperty = message.property === null ? before.where("property", "is", null) : before.where("property", "=", message.property);
  let query = read.selectFrom(ofProperty.orderBy("id", "desc").limit(LOOKED_THROUGH).as("earlier")).selectAll();
  for (const column of KIND) query = message[column] === null ? query.where(column, "is", null) : query.where(column, "=", message[column]);
  return query.orderBy("id", "desc").limit(1).executeTakeFirst();
}

/** When messages came and who sent them, by id; without those no longer in the log. */
export async function findSenders(
  { read }: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { at: number; sender: string | undefined }>> {
  if (ids.length === 0) return new Map();
  const rows = await read.selectFrom("message").select(["id", "received_at", "sender"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, { at: row.received_at, sender: row.sender ?? undefined }]));
}

/** The first id that is too new. */
async function endOf(database: Database, filters: MessageFilters): Promise<number> {
  const { before = Number.MAX_SAFE_INTEGER, to } = filters;
  if (to !== undefined) return Math.min(before, await firstIdAfter(database, to));
  return hasIndex(filters) || filters.before !== undefined ? before : afterNewest(database);
}

/** An id that all messages received until a moment are before, and few others, unless later ones came while the clock was ahead. */
export async function firstIdAfter(database: Database, moment: number): Promise<number> {
  const first = await firstIdSince(database, moment + SLACK_MS + 1);
  return (await lastIdBefore(database, moment + 1)) < first ? first : afterNewest(database);
}

/** The id of the first message received at a moment or later, or one that is larger than all. Those that waited may have larger ids. */
export async function firstIdSince(database: Database, moment: number): Promise<number> {
  const since = database.read.selectFrom("message").select("id").where("received_at", ">=", moment).orderBy("received_at").limit(1);
  return (await since.executeTakeFirst())?.id ?? afterNewest(database);
}

/** The smallest id that a message received at a moment or later may have, or little less. */
async function smallestIdSince(database: Database, moment: number): Promise<number> {
  return (await lastIdBefore(database, moment - SLACK_MS)) + 1;
}

/** The id of the last message received before a moment, or -1. */
async function lastIdBefore({ read }: Database, moment: number): Promise<number> {
  const newestFirst = read.selectFrom("message").select("id").orderBy("received_at", "desc");
  return (await newestFirst.where("received_at", "<", moment).limit(1).executeTakeFirst())?.id ?? -1;
}

async function afterNewest({ read }: Database): Promise<number> {
  const newest = await read.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return (newest?.id ?? 0) + 1;
}

/** Kinds of message, and those that were taken, are sought among all of a property or sender, but not among all. */
function hasIndex({ property, sender, root, outcome, ...others }: MessageFilters): boolean {
  const { text, status, micros, bytes, lines, via } = others;
  if ([text, status, micros, bytes, lines, via].some((filter) => filter !== undefined)) return false;
  return property !== undefined || sender !== undefined || (root === undefined && outcome !== "ok");
}

const EXACT = ["property", "root", "outcome", "sender", "via", "status"] as const;

function conditions({ read }: Database, filters: MessageFilters): SelectQueryBuilder<Tables, "message", MessageRow> {
  let query = read.selectFrom("message").selectAll();
  for (const column of EXACT) if (filters[column] !== undefined) query = query.where(column, "=", filters[column]);
  // The index of outcomes has no `ok`, and serves only a query that says so.
  if (filters.outcome !== undefined && filters.outcome !== "ok") query = query.where(sql<boolean>`outcome <> 'ok'`);
  if (filters.from !== undefined) query = query.where("received_at", ">=", filters.from);
  if (filters.to !== undefined) query = query.where("received_at", "<=", filters.to);
  if (filters.micros !== undefined) query = query.where("micros", ">=", filters.micros);
  if (filters.bytes !== undefined) query = query.where("request_bytes", ">=", filters.bytes);
  if (filters.lines !== undefined) query = query.where("lines", ">=", filters.lines);
  if (filters.text !== undefined) query = query.where(({ or }) => or(SEARCHED.map((column) => contains(column, filters.text!))));
  return query;
}

const SEARCHED = ["summary", "property", "echo_token", "root", "sender"] as const;
