import type { ExpressionWrapper, Kysely } from "kysely";
import { DAY_MS } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import { onSameShard } from "../../../db/on-shard.ts";
import type { MessageRow, Tables } from "../../../db/schema.ts";
import { listMessages, type MessageFilters } from "../../../journal/messages.ts";
import type { MessageNotes } from "../../../journal/work.ts";

export const ACCEPTED_OUTCOMES = ["ok", "warnings"] as const;
const REFUSED_OUTCOMES = ["refused", "malformed", "unauthorised", "failed"] as const;

/** Maximum number of messages that queries read, newest first and through an index, so that a long log does not slow them down. */
const MAX_SEARCHED_MESSAGES = 20_000;

/** Selects the id and outcome of a sender's newest messages. */
export function newestMessages(read: Kysely<Tables>, sender: string | ExpressionWrapper<Tables, "sender", string>) {
  return read.selectFrom((from) =>
    from
      .selectFrom("message")
      .select(["message.id", "message.outcome"])
      .where("message.sender", "=", sender)
      .orderBy("message.id", "desc")
      .limit(MAX_SEARCHED_MESSAGES)
      .as("newest"),
  );
}

const MAX_LISTED = 500;

/** `days` is how many days to look back. */
export type RefusedQuery = { sender: string; now: number; days?: number };

export type RefusedMessage = Pick<MessageRow, "id" | "received_at" | "property" | "sender" | "outcome" | "summary"> & {
  notes: MessageNotes | undefined;
};

/**
 * Lists a sender's refused messages from the last `days` days (default 30), newest first, up to 500. Messages without stored
 * bodies have no notes.
 */
export async function listRefused(database: Database, { sender, now, days = 30 }: RefusedQuery): Promise<RefusedMessage[]> {
  const ids = newestMessages(database.read, sender)
    .where("outcome", "not in", ACCEPTED_OUTCOMES)
    .select("id")
    .orderBy("id", "desc")
    .limit(MAX_LISTED);
  const rows = await refusedQuery(database)
    .where("id", "in", ids)
    .where("received_at", ">=", now - days * DAY_MS)
    .execute();
  return rows.map(toRefused);
}

/** Lists the log's refused messages that match the filters, newest first, up to 500. */
export async function listMatchingRefused(database: Database, filters: MessageFilters): Promise<RefusedMessage[]> {
  const outcomes = REFUSED_OUTCOMES.filter((outcome) => filters.outcome === undefined || filters.outcome === outcome);
  const lists = await Promise.all(outcomes.map((outcome) => listMessages(database, { ...filters, outcome, limit: MAX_LISTED })));
  const ids = lists
    .flatMap(({ messages }) => messages.map(({ id }) => id))
    .toSorted((a, b) => b - a)
    .slice(0, MAX_LISTED);
  if (ids.length === 0) return [];
  return (await refusedQuery(database).where("id", "in", ids).execute()).map(toRefused);
}

function refusedQuery(database: Database) {
  return database.read
    .selectFrom("message")
    .leftJoin("message_body", (join) =>
      join.onRef("message_body.message", "=", "message.id").on(onSameShard(database, "message_property", "property")),
    )
    .select(["id", "received_at", "property", "sender", "outcome", "summary", "notes"])
    .orderBy("id", "desc");
}

function toRefused({ notes, property, ...row }: Omit<RefusedMessage, "notes"> & { notes: string | null }): RefusedMessage {
  return { ...row, property: property || null, notes: notes === null ? undefined : (JSON.parse(notes) as MessageNotes) };
}

/** Finds the sender's first accepted message among its first 20,000 messages. */
export async function findFirstAccepted({ read }: Database, sender: string): Promise<Pick<MessageRow, "id" | "received_at"> | undefined> {
  const oldestMessage = read.selectFrom((from) =>
    from
      .selectFrom("message")
      .select(["id", "outcome"])
      .where("sender", "=", sender)
      .orderBy("id")
      .limit(MAX_SEARCHED_MESSAGES)
      .as("oldest"),
  );
  const first = oldestMessage.where("outcome", "in", ACCEPTED_OUTCOMES).select("id").orderBy("id").limit(1);
  return read.selectFrom("message").select(["id", "received_at"]).where("id", "=", first).executeTakeFirst();
}

const MAX_NAMED_MESSAGES = 2_000;

/** Lists the properties named in a sender's newest messages, sorted. */
export async function listNamedProperties({ read }: Database, sender: string): Promise<string[]> {
  const newestMessageIds = read.selectFrom((from) =>
    from
      .selectFrom("message")
      .select(["property", "outcome"])
      .where("sender", "=", sender)
      .orderBy("id", "desc")
      .limit(MAX_NAMED_MESSAGES)
      .as("newest"),
  );
  const rows = await newestMessageIds.select("property").distinct().where("outcome", "in", ACCEPTED_OUTCOMES).orderBy("property").execute();
  return rows.flatMap(({ property }) => property || []);
}
