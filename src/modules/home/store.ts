import type { Database } from "../../db/database.ts";
import type { Outcome } from "../../journal/work.ts";

/** Messages of a time by outcome. When not `exact`, there are more than were read. */
export type OutcomeCounts = { outcomes: ReadonlyMap<Outcome, number>; total: number; exact: boolean };

/** Looks at no more messages than this, so that the page is as fast with a hundred million of them. */
const LOOKED_AT = 2_000;

/** The newest messages received since `since` (UTC milliseconds), by outcome. */
export async function countOutcomes(database: Database, since: number): Promise<OutcomeCounts> {
  const newest = database.read
    .selectFrom("message")
    .select("outcome")
    .where("received_at", ">=", since)
    .orderBy("received_at", "desc")
    .limit(LOOKED_AT)
    .as("newest");
  const rows = await database.read
    .selectFrom(newest)
    .select(["outcome", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("outcome")
    .execute();
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  return { outcomes: new Map(rows.map((row) => [row.outcome as Outcome, row.count])), total, exact: total < LOOKED_AT };
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
