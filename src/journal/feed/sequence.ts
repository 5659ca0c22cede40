import type { Database } from "../../db/database.ts";

/** Only one process at a time assigns positions. Each commit is visible before the next process takes the lock. */
const FEED_LOCK = "change feed";
const BATCH_SIZE = 1_000;

const TIP = "select coalesce(max(position), 0) as tip from change";

/** Each property's entries get IDs under the property's lock, so IDs follow the commit order. */
const ASSIGN_POSITIONS = `insert into change (position, outbox, at, property, message, kind, category, plan)
  select ? + row_number() over (order by id), id, at, property, message, kind, category, plan
  from (select * from change_outbox order by id limit ${BATCH_SIZE}) as committed`;

/** The two statements may see different entries, so this one removes only entries that have a position. */
const REMOVE_FROM_OUTBOX = "delete from change_outbox where id in (select outbox from change where position > ?)";

/**
 * Assigns a position to every committed change and returns the last position, or 0 if there are no changes. A change that commits later
 * gets a later position, regardless of when its transaction started.
 */
export async function sequenceChanges(database: Database): Promise<number> {
  const isPending = await hasPendingEntry(database);
  let tip = await findTip(database);
  for (let moved = isPending ? BATCH_SIZE : 0; moved === BATCH_SIZE;) {
    await assignPositions(database);
    const nextPosition = await findTip(database);
    moved = nextPosition - tip;
    tip = nextPosition;
  }
  return tip;
}

async function hasPendingEntry({ read }: Database): Promise<boolean> {
  return (await read.selectFrom("change_outbox").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the last position that readers can see. */
async function findTip({ read }: Database): Promise<number> {
  const row = await read
    .selectFrom("change")
    .select(({ fn }) => fn.max<number | null>("position").as("tip"))
    .executeTakeFirst();
  return row?.tip ?? 0;
}

function assignPositions(database: Database): Promise<void> {
  return database.commit({
    lock: FEED_LOCK,
    read: [{ sql: TIP, values: [] }],
    decide: ([rows]) => {
      const values = [rows![0]!.tip!];
      return { write: [ASSIGN_POSITIONS, REMOVE_FROM_OUTBOX].map((sql) => ({ sql, values })), result: undefined };
    },
  });
}
