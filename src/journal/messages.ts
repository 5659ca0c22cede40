import { type SelectQueryBuilder, sql } from "kysely";
import type { NightChange } from "../calendar/change.ts";
import type { Database } from "../db/database.ts";
import { containsText } from "../db/listing.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { MessageRow, PastMessageRow, Tables } from "../db/schema.ts";
import { unpackBodies } from "./body.ts";
import { findChanges } from "./message-changes.ts";
import type { MessageNotes, MessageOutcome, ReceivedMessage } from "./work.ts";

/** Times are in milliseconds since 1970, inclusive. */
export type MessageFilters = {
  property?: string;
  root?: string;
  outcome?: MessageOutcome;
  sender?: string;
  via?: ReceivedMessage["via"];
  from?: number;
  to?: number;
  status?: number;
  /** Minimums: duration in microseconds, request size in bytes and number of lines. */
  micros?: number;
  bytes?: number;
  lines?: number;
  /** Case-insensitive substring of the summary, property, echo token, message type or sender. */
  text?: string;
  before?: number;
  limit?: number;
};

/** Newest first. `before` is where the next page starts, if there may be more messages. */
export type MessageList = { messages: MessageRow[]; before: number | undefined };

export type MessageDetail = {
  message: MessageRow;
  bodies: { request: Uint8Array; answer: Uint8Array } | undefined;
  notes: MessageNotes | undefined;
  changes: readonly NightChange[];
};

const PAGE_SIZE = 40;
/** Number of IDs read at a time by a search without an index. */
const IDS_PER_SEARCH_STEP = 20_000;
/** IDs are in order of time, except for messages that had to wait. No message waits longer than this. */
const CLOCK_SLACK_MS = 3_600_000;

export async function listMessages(database: Database, filters: MessageFilters): Promise<MessageList> {
  const limit = filters.limit ?? PAGE_SIZE;
  const end = await findEndId(database, filters);
  const first = filters.from === undefined ? 0 : await smallestIdSince(database, filters.from);
  const start = hasIndex(filters) ? first : Math.max(first, end - IDS_PER_SEARCH_STEP);
  const foundRows = await matchingMessages(database, filters)
    .selectAll()
    .where("id", "<", end)
    .where("id", ">=", start)
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const messages = foundRows.slice(0, limit).map(withoutEmptyProperty);
  if (foundRows.length > limit) return { messages, before: messages.at(-1)!.id };
  return { messages, before: start > first ? start : undefined };
}

export async function listNewest({ read }: Database, limit: number): Promise<MessageRow[]> {
  return (await newestQuery(read, { limit })).map(withoutEmptyProperty);
}

/**
 * Removes an empty property from a row. If the property is not known, rows contain an empty string, or null if an earlier version wrote
 * them.
 */
function withoutEmptyProperty(row: MessageRow): MessageRow {
  return row.property === "" ? { ...row, property: null } : row;
}

const newestQuery = prepareStatement((db, { limit }: { limit: number }) =>
  db.selectFrom("message").selectAll().orderBy("id", "desc").limit(limit),
);

export async function findMessage(database: Database, id: number): Promise<MessageDetail | undefined> {
  const row = await database.read.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) return undefined;
  const message = withoutEmptyProperty(row);
  const storedBodies = await findBodies(database, id);
  return {
    message,
    bodies: storedBodies?.bodies,
    notes: storedBodies?.notes,
    changes:
      message.changed_nights > 0 && message.property !== null
        ? await findChanges(database, { property: message.property, message: id })
        : [],
  };
}

export type StoredBodies = { bodies: { request: Uint8Array; answer: Uint8Array }; notes: MessageNotes };

export async function findBodies({ read }: Database, id: number): Promise<StoredBodies | undefined> {
  const body = await read.selectFrom("message_body").selectAll().where("message", "=", id).executeTakeFirst();
  return body && { bodies: unpackBodies(body), notes: JSON.parse(body.notes) as MessageNotes };
}

const MAX_SEARCHED_MESSAGES = 2_000;
const TYPE_COLUMNS = ["root", "action", "sender"] as const;

/** Finds the previous message with the same type, property and sender, unless it is too old. */
export async function findPrevious({ read }: Database, message: MessageRow): Promise<MessageRow | undefined> {
  const before = read.selectFrom("message").selectAll().where("id", "<", message.id);
  const propertyMessages = before.where("property", "=", message.property ?? "");
  let query = read.selectFrom(propertyMessages.orderBy("id", "desc").limit(MAX_SEARCHED_MESSAGES).as("earlier")).selectAll();
  for (const column of TYPE_COLUMNS)
    query = message[column] === null ? query.where(column, "is", null) : query.where(column, "=", message[column]);
  const found = await query.orderBy("id", "desc").limit(1).executeTakeFirst();
  return found && withoutEmptyProperty(found);
}

/** IDs of the adjacent messages in the log. */
export type NeighbourIds = { before: number | undefined; after: number | undefined };

/** Finds the previous and next message for the same property, or among messages without a property. */
export async function findNeighbours({ read }: Database, { id, property }: MessageRow): Promise<NeighbourIds> {
  const sameProperty = read
    .selectFrom("message")
    .select("id")
    .where("property", "=", property ?? "");
  const [before, after] = await Promise.all([
    sameProperty.where("id", "<", id).orderBy("id", "desc").limit(1).executeTakeFirst(),
    sameProperty.where("id", ">", id).orderBy("id").limit(1).executeTakeFirst(),
  ]);
  return { before: before?.id, after: after?.id };
}

/** When and from whom a message was received. `at` is in milliseconds since 1970. */
export type MessageOrigin = { at: number; sender: string | undefined };

/** Finds the origins of messages by ID, including those of past messages. */
export async function findOrigins({ read }: Database, ids: readonly number[]): Promise<ReadonlyMap<number, MessageOrigin>> {
  if (ids.length === 0) return new Map();
  const loggedRows = await read.selectFrom("message").select(["id", "received_at", "sender"]).where("id", "in", ids).execute();
  const loggedIds = new Set(loggedRows.map(({ id }) => id));
  const missingIds = ids.filter((id) => !loggedIds.has(id));
  const pastMessages = read
    .selectFrom("past_message")
    .select(["message as id", "received_at", "sender"])
    .where("message", "in", missingIds);
  const rows = missingIds.length === 0 ? loggedRows : [...loggedRows, ...(await pastMessages.execute())];
  return new Map(rows.map(({ id, received_at: at, sender }) => [id, { at, sender: sender ?? undefined }]));
}

/** Finds what is left of a message that was deleted from the log because of its age. */
export async function findPastMessage({ read }: Database, id: number): Promise<PastMessageRow | undefined> {
  return read.selectFrom("past_message").selectAll().where("message", "=", id).executeTakeFirst();
}

const MIN_TOKEN_LENGTH = 3;

/** Finds the message with this ID, then recent messages whose EchoToken contains `text`, ignoring case. `properties` limits both. */
export async function findByIdOrToken(
  database: Database,
  text: string,
  { properties, limit }: { properties: readonly string[] | undefined; limit: number },
): Promise<MessageRow[]> {
  const all = database.read.selectFrom("message").selectAll();
  const allowedMessages = properties === undefined ? all : all.where("property", "in", properties);
  const [, id] = /^#?(\d{1,15})$/.exec(text) ?? [];
  const idMatches = id === undefined ? [] : await allowedMessages.where("id", "=", Number(id)).execute();
  if (text.length < MIN_TOKEN_LENGTH) return idMatches;
  const start = (await nextMessageId(database)) - IDS_PER_SEARCH_STEP;
  const tokenMatches = allowedMessages.where("id", ">=", start).where(containsText("echo_token", text)).orderBy("id", "desc").limit(limit);
  return [...idMatches, ...(await tokenMatches.execute())].slice(0, limit).map(withoutEmptyProperty);
}

async function findEndId(database: Database, filters: MessageFilters): Promise<number> {
  const { before = Number.MAX_SAFE_INTEGER, to } = filters;
  if (to !== undefined) return Math.min(before, await firstIdAfter(database, to));
  return hasIndex(filters) || filters.before !== undefined ? before : nextMessageId(database);
}

/** Returns an ID above those of all messages received up to `moment`. Few later messages have lower IDs, unless the clock was ahead. */
export async function firstIdAfter(database: Database, moment: number): Promise<number> {
  const first = await firstIdSince(database, moment + CLOCK_SLACK_MS + 1);
  return (await lastIdBefore(database, moment + 1)) < first ? first : nextMessageId(database);
}

/**
 * Returns the ID of the first message received at or after `moment`, or an ID above all others. Earlier messages that had to wait may have
 * higher IDs.
 */
export async function firstIdSince(database: Database, moment: number): Promise<number> {
  const since = database.read.selectFrom("message").select("id").where("received_at", ">=", moment).orderBy("received_at").limit(1);
  return (await since.executeTakeFirst())?.id ?? nextMessageId(database);
}

async function smallestIdSince(database: Database, moment: number): Promise<number> {
  return (await lastIdBefore(database, moment - CLOCK_SLACK_MS)) + 1;
}

/** Returns the ID of the last message received before `moment`, or -1. */
export async function lastIdBefore({ read }: Database, moment: number): Promise<number> {
  const newestFirst = read.selectFrom("message").select("id").orderBy("received_at", "desc");
  return (await newestFirst.where("received_at", "<", moment).limit(1).executeTakeFirst())?.id ?? -1;
}

/** Returns an ID above those of all messages in the log. */
export async function nextMessageId({ read }: Database): Promise<number> {
  const newestMessage = await read.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return (newestMessage?.id ?? 0) + 1;
}

/** Returns whether an index covers the filters. Type and outcome `ok` are indexed only in combination with a property or sender. */
function hasIndex({ property, sender, root, outcome, ...otherFilters }: MessageFilters): boolean {
  const { text, status, micros, bytes, lines, via } = otherFilters;
  if ([text, status, micros, bytes, lines, via].some((filter) => filter !== undefined)) return false;
  return property !== undefined || sender !== undefined || (root === undefined && outcome !== "ok");
}

const EXACT_COLUMNS = ["property", "root", "outcome", "sender", "via", "status"] as const;

/** Selects the messages that match the filters, except `before`. */
export function matchingMessages({ read }: Database, filters: MessageFilters): SelectQueryBuilder<Tables, "message", object> {
  let query: SelectQueryBuilder<Tables, "message", object> = read.selectFrom("message");
  for (const column of EXACT_COLUMNS) if (filters[column] !== undefined) query = query.where(column, "=", filters[column]);
  // Repeats the condition of the partial index on outcomes, which omits `ok`.
  if (filters.outcome !== undefined && filters.outcome !== "ok") query = query.where(sql<boolean>`outcome <> 'ok'`);
  if (filters.from !== undefined) query = query.where("received_at", ">=", filters.from);
  if (filters.to !== undefined) query = query.where("received_at", "<=", filters.to);
  if (filters.micros !== undefined) query = query.where("micros", ">=", filters.micros);
  if (filters.bytes !== undefined) query = query.where("request_bytes", ">=", filters.bytes);
  if (filters.lines !== undefined) query = query.where("lines", ">=", filters.lines);
  if (filters.text !== undefined)
    query = query.where(({ or }) => or(SEARCHED_COLUMNS.map((column) => containsText(column, filters.text!))));
  return query;
}

const SEARCHED_COLUMNS = ["summary", "property", "echo_token", "root", "sender"] as const;
