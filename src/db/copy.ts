import type { Kysely } from "kysely";
import { computeChecksum, type CopiedTable, countTable, insertAll, lastKey, listTables, readBatches } from "./copy-tables.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";
import { CopyError } from "./sqlite/copy.ts";

/** Tables that already contain a row after a migration or service start. */
const PREFILLED_TABLES: ReadonlySet<string> = new Set(["error_size", "backfill"]);

export type ReportTable = (table: string, done: number, total: number) => void;

/**
 * Copies all data to a migrated database and verifies the copy. Call again to continue an interrupted copy. Throws `CopyError` if the
 * target contains other data or is distributed, or if the source changed during the copy.
 */
export async function copyDatabase(from: Database, to: Database, report: ReportTable): Promise<void> {
  if (to.isDistributed) throw new CopyError(DISTRIBUTED_TARGET);
  const { location } = await from.describe();
  const tables = await listTables(from);
  await beginCopy(to, tables, location);
  for (const table of tables) await copyTable({ from, to, table, report });
  await to.serials.raise(await from.serials.read());
  await raiseBatchIds(from, to);
  await verifyCopy(from, to, tables);
  await to.write.deleteFrom("copy_progress").execute();
}

const DISTRIBUTED_TARGET =
  "The target is already distributed over a Citus cluster. Copy to an empty database, then run npm run migrate -- --distribute there.";

export async function refuseUnfinishedCopy({ read }: Database): Promise<void> {
  const startedCopy = await read.selectFrom("copy_progress").select("source").where("name", "=", SOURCE_ROW_NAME).executeTakeFirst();
  if (!startedCopy) return;
  throw new CopyError(`This database is an unfinished copy of ${startedCopy.source}. Run npm run copy again to finish it.`);
}

/** Name of the row that stores the source. Empty, so that it can't clash with a table name. */
const SOURCE_ROW_NAME = "";

async function beginCopy(to: Database, tables: readonly CopiedTable[], source: string): Promise<void> {
  const startedCopy = await to.read.selectFrom("copy_progress").select("source").where("name", "=", SOURCE_ROW_NAME).executeTakeFirst();
  if (startedCopy?.source === source) return;
  if (startedCopy)
    throw new CopyError(`The target is an unfinished copy of ${startedCopy.source}. Finish that copy, or use an empty database.`);
  for (const { name } of tables)
    if (!PREFILLED_TABLES.has(name) && (await countTable(to.read, name)) > 0)
      throw new CopyError(`The target already contains data, in the table ${name}. Use an empty database.`);
  await to.write.transaction().execute(async (db) => {
    await db.insertInto("copy_progress").values({ name: SOURCE_ROW_NAME, source, last_key: null, finished: 0 }).execute();
    await db.deleteFrom("error_size").execute();
    await db.deleteFrom("backfill").execute();
  });
}

type TableCopy = { from: Database; to: Database; table: CopiedTable; report: ReportTable };

/**
 * Copies a table. Each batch and its progress are stored in one transaction, so that an interrupted copy neither loses nor repeats rows.
 */
async function copyTable({ from, to, table, report }: TableCopy): Promise<void> {
  const { name } = table;
  const progress = await to.read.selectFrom("copy_progress").selectAll().where("name", "=", name).executeTakeFirst();
  if (progress?.finished === 1) return;
  const total = await countTable(from.read, name);
  let done = progress ? await countTable(to.read, name) : 0;
  const last = progress?.last_key ? (JSON.parse(progress.last_key) as unknown[]) : undefined;
  for await (const rows of readBatches(from.read, table, last)) {
    await to.write.transaction().execute(async (db) => {
      await insertAll(db, table, { rows, suffix: to.serials.insert });
      const isFinished = table.key.length === 0;
      await recordProgress(db, { name, source: null, last_key: JSON.stringify(lastKey(table, rows)), finished: isFinished ? 1 : 0 });
    });
    done += rows.length;
    report(name, Math.min(done, total), total);
  }
  await recordProgress(to.write, { name, source: null, last_key: null, finished: 1 });
}

async function recordProgress(db: Kysely<Tables>, row: Tables["copy_progress"]): Promise<void> {
  const { last_key, finished } = row;
  await db
    .insertInto("copy_progress")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ last_key, finished }))
    .execute();
}

/** Makes sure that new messages get higher IDs than copied ones. */
async function raiseBatchIds(from: Database, to: Database): Promise<void> {
  const [used, next] = [await from.reserve(1), await to.reserve(1)];
  if (next <= used) await to.reserve(used - next);
}

async function verifyCopy(from: Database, to: Database, tables: readonly CopiedTable[]): Promise<void> {
  const differentTables: string[] = [];
  for (const table of tables) {
    const [source, target] = [await computeChecksum(from.read, table), await computeChecksum(to.read, table)];
    if (source !== target) differentTables.push(table.name);
  }
  if (differentTables.length === 0) return;
  throw new CopyError(
    `The copy differs from its source in: ${differentTables.join(", ")}. Stop the service, empty the target database and run the copy again.`,
  );
}
