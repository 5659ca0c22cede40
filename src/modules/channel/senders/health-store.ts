import { sql } from "kysely";
import { HOUR_MS } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import type { MessageRow } from "../../../db/schema.ts";
import { firstIdSince } from "../../../journal/messages.ts";
import { ACCEPTED_OUTCOMES, newestMessages } from "./message-store.ts";

type LastMessage = Pick<MessageRow, "id" | "received_at" | "summary" | "outcome" | "status">;

export type HourCounts = { accepted: number; refused: number };

export type SenderHealth = {
  /** `undefined` if none of the sender's newest messages was accepted. */
  lastAccepted: LastMessage | undefined;
  /** The last refused message. Its `summary` says why it was refused. */
  lastRefused: LastMessage | undefined;
  /** The last 24 hours, oldest hour first. */
  hours: readonly HourCounts[];
  /** Share of messages that were accepted, from 0 to 1. `undefined` if there were no messages in these hours. */
  acceptedShare: number | undefined;
};

const CHART_HOURS = 24;
/** Maximum number of messages that the chart counts, across all senders. */
const CHART_MESSAGES = 100_000;

type HealthQuery = { now: number; sender?: string | undefined };

export async function findHealth(database: Database, query: { now: number; sender: string }): Promise<SenderHealth | undefined> {
  return (await readHealth(database, query)).get(query.sender);
}

/** Returns the health of every sender, by name. Also counts refused messages that only claimed to be from the sender. */
export async function listHealth(database: Database, now: number): Promise<ReadonlyMap<string, SenderHealth>> {
  return readHealth(database, { now });
}

async function readHealth(database: Database, query: HealthQuery): Promise<ReadonlyMap<string, SenderHealth>> {
  const [names, hours] = await Promise.all([listLastMessageIds(database, query), countHours(database, query)]);
  const lastMessages = await findLastMessages(database, names);
  return new Map(
    names.map(({ name, accepted: acceptedCount, refused }) => {
      const own = hours.get(name) ?? emptyHours();
      return [
        name,
        {
          lastAccepted: lastMessages.get(acceptedCount!),
          lastRefused: lastMessages.get(refused!),
          hours: own,
          acceptedShare: acceptedShare(own),
        },
      ];
    }),
  );
}

type LastMessageIds = { name: string; accepted: number | null; refused: number | null };

async function listLastMessageIds({ read, isDistributed }: Database, { sender }: HealthQuery): Promise<LastMessageIds[]> {
  if (sender !== undefined || !isDistributed) return findLastMessageIds(read, sender);
  // Citus doesn't support a query of this form for several senders.
  const senders = await read.selectFrom("sender").select("name").execute();
  return (await Promise.all(senders.map(({ name }) => findLastMessageIds(read, name)))).flat();
}

/** If `sender` is undefined, finds the messages of all senders. */
function findLastMessageIds(read: Database["read"], sender: string | undefined): Promise<LastMessageIds[]> {
  const senders = read.selectFrom("sender");
  return (sender === undefined ? senders : senders.where("name", "=", sender))
    .select((is) => {
      const newestMessage = newestMessages(read, sender ?? is.ref("sender.name"));
      return [
        "name",
        newestMessage.where("outcome", "in", ACCEPTED_OUTCOMES).select("id").orderBy("id", "desc").limit(1).as("accepted"),
        newestMessage.where("outcome", "not in", ACCEPTED_OUTCOMES).select("id").orderBy("id", "desc").limit(1).as("refused"),
      ];
    })
    .execute();
}

async function findLastMessages({ read }: Database, senders: readonly LastMessageIds[]): Promise<ReadonlyMap<number, LastMessage>> {
  const ids = senders.flatMap(({ accepted: acceptedCount, refused }) => [acceptedCount, refused]).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const columns = ["id", "received_at", "summary", "outcome", "status"] as const;
  const rows = await read.selectFrom("message").select(columns).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function countHours(database: Database, { now, sender }: HealthQuery): Promise<ReadonlyMap<string, readonly HourCounts[]>> {
  const since = now - CHART_HOURS * HOUR_MS;
  const newestMessage = await database.read.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  const first = Math.max(await firstIdSince(database, since), (newestMessage?.id ?? 0) - CHART_MESSAGES);
  const hour = sql<number>`cast((received_at - ${since}) / ${sql.lit(HOUR_MS)} as integer)`;
  const isAccepted = sql<number>`case when outcome in ('ok', 'warnings') then 1 else 0 end`;
  const messages = database.read.selectFrom("message");
  const rows = await (sender === undefined ? messages.where("sender", "is not", null) : messages.where("sender", "=", sender))
    .select((is) => ["sender", hour.as("hour"), isAccepted.as("accepted"), is.fn.countAll<number>().as("count")])
    .where("id", ">=", first)
    .where("received_at", ">", since)
    .where("received_at", "<=", now)
    .groupBy(["sender", sql`2`, sql`3`])
    .execute();
  const hours = new Map<string, HourCounts[]>();
  for (const { sender: name, hour: index, accepted: acceptedCount, count } of rows) {
    const own = hours.getOrInsertComputed(name!, emptyHours)[Math.min(index, CHART_HOURS - 1)]!;
    if (acceptedCount === 1) own.accepted += count;
    else own.refused += count;
  }
  return hours;
}

function emptyHours(): HourCounts[] {
  return Array.from({ length: CHART_HOURS }, () => ({ accepted: 0, refused: 0 }));
}

function acceptedShare(hours: readonly HourCounts[]): number | undefined {
  const acceptedCount = hours.reduce((sum, hour) => sum + hour.accepted, 0);
  const all = hours.reduce((sum, hour) => sum + hour.refused, acceptedCount);
  return all === 0 ? undefined : acceptedCount / all;
}
