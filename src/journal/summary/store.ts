import type { Kysely } from "kysely";
import { EMPTY_BLOCK_ID } from "../../calendar/night-summary.ts";
import type { Database } from "../../db/database.ts";
import type { NightSummaryRow, Tables } from "../../db/schema.ts";

/** Summaries include changes up to `position`. `filled` is the last property summarised so far by the initial fill, until it is done. */
export type SummaryProgress = { position: number; filled: string | undefined };

const ID = 1;
const SUMMARIES_LOCK = "night summaries";
/** Both engines limit the number of parameters. */
const ROWS_PER_INSERT = 500;

export async function findProgress(db: Kysely<Tables>): Promise<SummaryProgress | undefined> {
  const row = await db.selectFrom("summary_progress").select(["position", "filled"]).where("id", "=", ID).executeTakeFirst();
  return row && { position: row.position, filled: row.filled ?? undefined };
}

/** A property's new summaries: all of its blocks starting with `from`, or only those in `rows`. */
export type PropertySummaries = { property: string; from: number | undefined; rows: readonly NightSummaryRow[] };

type SummaryStep = { before: SummaryProgress | undefined; after: SummaryProgress; made: readonly PropertySummaries[] };

/** Stores summaries and progress, unless another process has made progress since `before`. Returns whether they were stored. */
export async function storeSummaries(database: Database, { before, after, made }: SummaryStep): Promise<boolean> {
  return database.edit(SUMMARIES_LOCK, async (db) => {
    const current = await findProgress(db);
    if (current?.position !== before?.position || current?.filled !== before?.filled) return false;
    for (const { property, from } of made) {
      if (from === undefined) continue;
      const laterRows = db.deleteFrom("night_summary").where("property", "=", property);
      await laterRows.where((of) => of.or([of("block", ">=", from), of("block", "=", EMPTY_BLOCK_ID)])).execute();
    }
    const rows = made.flatMap((one) => one.rows);
    for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
      await upsertSummaries(db, rows.slice(start, start + ROWS_PER_INSERT));
    const progress = { position: after.position, filled: after.filled ?? null };
    await db
      .insertInto("summary_progress")
      .values({ id: ID, ...progress })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(progress))
      .execute();
    return true;
  });
}

async function upsertSummaries(db: Kysely<Tables>, rows: readonly NightSummaryRow[]): Promise<void> {
  await db
    .insertInto("night_summary")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["block", "property"]).doUpdateSet((of) => ({ nights: of.ref("excluded.nights") })))
    .execute();
}

/** Reads blocks for the given properties, or for all. */
export async function readBlocks(
  { read }: Database,
  blocks: readonly number[],
  properties?: readonly string[],
): Promise<NightSummaryRow[]> {
  if (properties?.length === 0) return [];
  return read
    .selectFrom("night_summary")
    .selectAll()
    .where("block", "in", blocks)
    .$if(properties !== undefined, (query) => query.where("property", "in", properties!))
    .execute();
}

/** Returns up to `limit` property codes after `after`, in order. */
export async function nextProperties({ read }: Database, after: string, limit: number): Promise<string[]> {
  const query = read.selectFrom("property").select("code").where("code", ">", after).orderBy("code").limit(limit);
  return (await query.execute()).map(({ code }) => code);
}

/** Deletes blocks before `block`, except the summary of nights without data. Writes only if there are any. */
export async function pruneSummaries({ read, write }: Database, block: number): Promise<void> {
  const old = await read
    .selectFrom("night_summary")
    .select("block")
    .where("block", ">", EMPTY_BLOCK_ID)
    .where("block", "<", block)
    .limit(1)
    .execute();
  if (old.length > 0) await write.deleteFrom("night_summary").where("block", ">", EMPTY_BLOCK_ID).where("block", "<", block).execute();
}
