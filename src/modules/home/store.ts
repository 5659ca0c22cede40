import { type RawBuilder, sql } from "kysely";
import { DAY_MS, HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { type RowCount, countQuery, toCount } from "../../db/listing.ts";
import { prepareStatement } from "../../db/prepared.ts";
import { OUTCOME_BADGES, type MessageOutcome } from "../../journal/work.ts";

/** If `exact` is false, there are more messages than were read. */
export type OutcomeCounts = { outcomes: ReadonlyMap<MessageOutcome, number>; total: number; exact: boolean };

export type PropertyRefusals = { property: string; name: string | null; refused: number; total: number };

export type LastDayActivity = { outcomes: OutcomeCounts; refused: readonly PropertyRefusals[] };

/** Maximum number of messages to read, so that the page stays fast even if a hundred million are stored. */
const MAX_MESSAGES_READ = 2_000;

const MAX_SHOWN_PROPERTIES = 5;

/**
 * Counts the messages in the 24 hours before `now`, in milliseconds since 1970. Most are `ok`, so it reads only the others, using an index.
 * IDs are in order of time unless the clock was set back.
 */
export async function findLastDay({ read }: Database, now: number): Promise<LastDayActivity> {
  const [newestRange] = await newestQuery(read, { since: now - DAY_MS, now });
  const { total, first, last } = newestRange!;
  const otherOutcomes = first === null || last === null ? [] : await othersQuery(read, { first, last });
  const counts = new Map(otherOutcomes.map(({ outcome, count }) => [outcome, count]));
  const ok = otherOutcomes.reduce((left, { count }) => left - count, total);
  const outcomes = ok > 0 ? counts.set("ok", ok) : counts;
  const refusedProperties = counts.has("refused") ? await findRefusedProperties(read, { first: first!, last: last! }) : [];
  return { outcomes: { outcomes, total, exact: total < MAX_MESSAGES_READ }, refused: refusedProperties };
}

const newestQuery = prepareStatement((db, { since, now }: { since: number; now: number }) => {
  const messagesInRange = db.selectFrom("message").where((of) => of.between("received_at", since, now));
  return db
    .selectFrom(messagesInRange.select("id").orderBy("received_at", "desc").limit(MAX_MESSAGES_READ).as("newest"))
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.min<number | null>("id").as("first"),
      fn.max<number | null>("id").as("last"),
    ]);
});

type Ids = { first: number; last: number };

/** Repeats the condition of the partial index, which excludes `ok`. */
function notOk(db: Database["read"], outcomes: readonly MessageOutcome[], { first, last }: Ids) {
  const notOkMessages = db.selectFrom("message").where("outcome", "in", outcomes).where("outcome", "<>", "ok");
  return notOkMessages.where((of) => of.between("id", first, last));
}

const OUTCOMES_EXCEPT_OK = (Object.keys(OUTCOME_BADGES) as MessageOutcome[]).filter((outcome) => outcome !== "ok");

const othersQuery = prepareStatement((db, ids: Ids) =>
  notOk(db, OUTCOMES_EXCEPT_OK, ids)
    .select(["outcome", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("outcome"),
);

async function findRefusedProperties(read: Database["read"], ids: Ids): Promise<PropertyRefusals[]> {
  const mostRefusedProperties = await mostRefusedQuery(read, ids);
  if (mostRefusedProperties.length === 0) return [];
  const codes = mostRefusedProperties.map(({ property }) => property);
  const totals = await read
    .selectFrom("message")
    .select(({ ref, fn }) => [ref("property").$notNull().as("property"), fn.countAll<number>().as("total")])
    .where("property", "in", codes)
    .where((of) => of.between("id", ids.first, ids.last))
    .groupBy("property")
    .execute();
  const byProperty = new Map(totals.map(({ property, total }) => [property, total]));
  return mostRefusedProperties.map((row) => ({ ...row, total: byProperty.get(row.property) ?? row.refused }));
}

const mostRefusedQuery = prepareStatement((db, ids: Ids) => {
  const mostRefusedProperties = notOk(db, ["refused"], ids)
    .select(({ ref, fn }) => [ref("property").$notNull().as("property"), fn.countAll<number>().as("refused")])
    .where("property", "<>", "")
    .groupBy("property")
    .orderBy("refused", "desc")
    .orderBy("property")
    .limit(MAX_SHOWN_PROPERTIES);
  return db
    .selectFrom(mostRefusedProperties.as("worst"))
    .leftJoin("property as p", "p.code", "worst.property")
    .select(["worst.property", "p.name", "worst.refused"])
    .orderBy("worst.refused", "desc")
    .orderBy("worst.property");
});

/** Active properties whose last accepted message is over a day old (`silent`) or that have no messages yet (`neverSent`). */
export type SilentProperties = {
  silent: RowCount;
  neverSent: RowCount;
  /** The properties that have been silent longest, then the oldest properties that have no messages yet. */
  longest: { code: string; name: string; created_at: number; last_message_at: number | null; last_refused_at: number | null }[];
};

/** Number of active properties by the age of their last accepted message. */
export type AgeCounts = Readonly<Record<"hour" | "day" | "week" | "older" | "never", number>>;

/** Counts active properties by the age of their last message. `now` is in milliseconds since 1970. */
export async function findAges({ read }: Database, now: number): Promise<AgeCounts> {
  const [found] = await agesQuery(read, { hour: now - HOUR_MS, day: now - DAY_MS, week: now - 7 * DAY_MS });
  return found!;
}

type AgeLimits = { hour: number; day: number; week: number };

const agesQuery = prepareStatement((db, { hour, day, week }: AgeLimits) => {
  const last = sql.ref("a.last_message_at");
  const count = (condition: RawBuilder<unknown>) =>
    sql<number>`cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as integer)`;
  return db
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where("p.status", "=", "active")
    .select([
      count(sql`${last} >= ${hour}`).as("hour"),
      count(sql`${last} < ${hour} and ${last} >= ${day}`).as("day"),
      count(sql`${last} < ${day} and ${last} >= ${week}`).as("week"),
      count(sql`${last} < ${week}`).as("older"),
      count(sql`${last} is null`).as("never"),
    ]);
});

/** Finds properties that have been silent since `since`, in milliseconds since 1970. The property list has the same filters. */
export async function findSilence({ read }: Database, since: number): Promise<SilentProperties> {
  const [[silent], [neverSent]] = await Promise.all([silentQuery(read, { since }), neverSentQuery(read, {})]);
  const hasSilentProperties = silent!.count + neverSent!.count > 0;
  return {
    silent: toCount(silent!.count),
    neverSent: toCount(neverSent!.count),
    longest: hasSilentProperties ? await findLongestSilence(read, since) : [],
  };
}

async function findLongestSilence(read: Database["read"], since: number): Promise<SilentProperties["longest"]> {
  const longestSilence = await longestQuery(read, { since });
  return Promise.all(
    longestSilence.map(async (row) => ({ ...row, last_refused_at: (await lastRefusedQuery(read, { code: row.code }))[0]?.at ?? null })),
  );
}

/** SQLite joins the tables of a cross join in the given order, so it looks up only the few silent properties. */
const silentQuery = prepareStatement((db, { since }: { since: number }) =>
  countQuery(
    db,
    db
      .selectFrom("property_activity as a")
      .crossJoin("property as p")
      .whereRef("p.code", "=", "a.property")
      .where("p.status", "=", "active")
      .where("a.last_message_at", "<", since)
      .select("p.code as key"),
  ),
);

const neverSentQuery = prepareStatement((db) =>
  countQuery(
    db,
    db
      .selectFrom("property")
      .select("code as key")
      .where("status", "=", "active")
      .except(db.selectFrom("property_activity").select("property as key")),
  ),
);

/** Maximum number of messages to read per property, newest first. No index covers a property's refused messages. */
const MAX_MESSAGES_PER_PROPERTY = 100;

const longestQuery = prepareStatement((db, { since }: { since: number }) => {
  const last = sql<number>`coalesce(a.last_message_at, p.created_at)`;
  return db
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .select(["p.code", "p.name", "p.created_at", "a.last_message_at"])
    .where("p.status", "=", "active")
    .where(last, "<", since)
    .orderBy(sql`a.last_message_at is null`)
    .orderBy(last)
    .orderBy("p.code")
    .limit(MAX_SHOWN_PROPERTIES);
});

const lastRefusedQuery = prepareStatement((db, { code }: { code: string }) => {
  const newestMessages = db.selectFrom("message").select(["received_at", "outcome"]).where("property", "=", code);
  return db
    .selectFrom(newestMessages.orderBy("id", "desc").limit(MAX_MESSAGES_PER_PROPERTY).as("newest"))
    .select(({ fn }) => fn.max<number | null>("received_at").as("at"))
    .where("outcome", "=", "refused");
});

/** Which setup steps are done. `category` is the first one that accepts messages. */
export type SetupProgress = {
  property: string | undefined;
  category: FirstCategory | undefined;
  filled: CategoryKey | undefined;
};
type CategoryKey = { property: string; code: string };
export type FirstCategory = CategoryKey & { rooms: number };

export async function findProgress({ read }: Database): Promise<SetupProgress> {
  const [[property], [category], [filled]] = await Promise.all([
    firstPropertyQuery(read, {}),
    firstCategoryQuery(read, {}),
    firstNightsQuery(read, {}),
  ]);
  return { property: property?.code, category, filled };
}

const firstPropertyQuery = prepareStatement((db) => db.selectFrom("property").select("code").orderBy("code").limit(1));
const firstNightsQuery = prepareStatement((db) => db.selectFrom("inventory_page").select(["property", "category as code"]).limit(1));
const firstCategoryQuery = prepareStatement((db) =>
  db
    .selectFrom("category as c")
    .innerJoin("property as p", "p.code", "c.property")
    .select(["c.property", "c.code", "c.rooms"])
    .where("c.status", "=", "active")
    .where("p.status", "not in", ["inactive", "archived"])
    .orderBy("c.property")
    .orderBy("c.code")
    .limit(1),
);
