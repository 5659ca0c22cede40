import { sql } from "kysely";
import { DAY_MS } from "../../calendar/night.ts";
import { type Count, countRows } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import type { Outcome } from "../../journal/work.ts";

/** Messages of a time by outcome. When not `exact`, there are more than were read. */
export type OutcomeCounts = { outcomes: ReadonlyMap<Outcome, number>; total: number; exact: boolean };

/** Looks at no more messages than this, so that the page is as fast with a hundred million of them. */
const LOOKED_AT = 2_000;

/** The newest messages of the day before `now` (UTC milliseconds), by outcome. */
export async function countOutcomes(database: Database, now: number): Promise<OutcomeCounts> {
  const rows = await database.read
    .selectFrom(newestUntil(database, now))
    .select(["outcome", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("outcome")
    .execute();
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  return { outcomes: new Map(rows.map((row) => [row.outcome, row.count])), total, exact: total < LOOKED_AT };
}

/** The latest by their ids: between two times PostgreSQL expects so few that it sorts all of them. */
function newestUntil({ read }: Database, now: number) {
  const latest = read.selectFrom("message").select(["property", "outcome", "received_at"]).orderBy("id", "desc").limit(LOOKED_AT);
  return read
    .selectFrom(latest.as("latest"))
    .select(["property", "outcome"])
    .where((of) => of.between("received_at", now - DAY_MS, now))
    .as("newest");
}

/** A property as messages name it, which may be none and then has no name, with how many of those that were looked at were refused. */
export type RefusedProperty = { property: string; name: string | null; refused: number; total: number };

const SHOWN = 5;

/** The properties of most refused messages, of the newest of the day before `now` (UTC milliseconds). */
export function findRefused(database: Database, now: number): Promise<RefusedProperty[]> {
  const refused = sql<number>`count(case when outcome = 'refused' then 1 end)`;
  const worst = database.read
    .selectFrom(newestUntil(database, now))
    .select(({ ref, fn }) => [ref("property").$notNull().as("property"), refused.as("refused"), fn.countAll<number>().as("total")])
    .where("property", "is not", null)
    .groupBy("property")
    .having(refused, ">", 0)
    .orderBy("refused", "desc")
    .orderBy("property")
    .limit(SHOWN);
  return database.read
    .selectFrom(worst.as("worst"))
    .leftJoin("property as p", "p.code", "worst.property")
    .select(["worst.property", "p.name", "worst.refused", "worst.total"])
    .orderBy("worst.refused", "desc")
    .orderBy("worst.property")
    .execute();
}

/** Active properties of which nothing is heard: how many sent messages until a moment, and how many none yet. */
export type Silence = {
  silent: Count;
  unheard: Count;
  /** Those to look at: the longest silent, then those that sent none since they were made before that moment. */
  longest: { code: string; name: string; created_at: number; last_message_at: number | null }[];
};

/** Looks for active properties that sent no message since `since` (UTC milliseconds), or none yet; the list of properties shows the same ones. */
export async function findSilence(database: Database, since: number): Promise<Silence> {
  const active = database.read
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where("p.status", "=", "active");
  const last = sql<number>`coalesce(a.last_message_at, p.created_at)`;
  const longest = active
    .select(["p.code", "p.name", "p.created_at", "a.last_message_at"])
    .where(last, "<", since)
    .orderBy(sql`a.last_message_at is null`)
    .orderBy(last)
    .orderBy("p.code")
    .limit(SHOWN);
  return {
    silent: await countRows(database, active.where("a.last_message_at", "<", since).select("p.code as key")),
    unheard: await countRows(database, active.where("a.last_message_at", "is", null).select("p.code as key")),
    longest: await longest.execute(),
  };
}

/** How far a newcomer has come; the first record of each kind stands for all, of categories the first that takes messages. */
export type Progress = {
  property: string | undefined;
  category: FirstCategory | undefined;
  /** The first category that has received nights. */
  filled: CategoryKey | undefined;
};
type CategoryKey = { property: string; code: string };
export type FirstCategory = CategoryKey & { rooms: number };

/** Looks for the first property, the first category and the first nights. */
export async function findProgress({ read }: Database): Promise<Progress> {
  const [property, category, filled] = await Promise.all([
    read.selectFrom("property").select("code").orderBy("code").limit(1).executeTakeFirst(),
    findFirstCategory(read),
    read.selectFrom("inventory_page").select(["property", "category as code"]).limit(1).executeTakeFirst(),
  ]);
  return { property: property?.code, category, filled };
}

function findFirstCategory(read: Database["read"]): Promise<FirstCategory | undefined> {
  return read
    .selectFrom("category as c")
    .innerJoin("property as p", "p.code", "c.property")
    .select(["c.property", "c.code", "c.rooms"])
    .where("c.status", "=", "active")
    .where("p.status", "<>", "inactive")
    .orderBy("c.property")
    .orderBy("c.code")
    .limit(1)
    .executeTakeFirst();
}
