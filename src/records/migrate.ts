import { type RawBuilder, sql } from "kysely";
import { refuseUnfinishedCopy } from "../db/copy.ts";
import type { Database } from "../db/database.ts";
import { readInBatches, type SortOrder } from "../db/listing.ts";
import { migrate } from "../db/migrate.ts";
import type { SearchTextRow } from "../db/schema.ts";
import { runStatements } from "../db/statements.ts";
import { categorySearchRow, planSearchRow, propertySearchRow, writeSearchTexts } from "./search.ts";
import { toSortName } from "./sort-name.ts";

/** Migrates the database, then completes records written by older versions. Returns the names of the migrations that ran. */
export async function migrateRecords(database: Database): Promise<string[]> {
  const appliedMigrations = await migrate(database);
  await refuseUnfinishedCopy(database);
  await completeRecords(database);
  return appliedMigrations;
}

/** Marks the backfill as complete, because finding incomplete records takes seconds. A migration that needs it again deletes the row. */
const COMPLETE_BACKFILL = { name: "records" };

/** Adds missing sort names and search text, unless this was done on a previous startup. Safe to run in several processes concurrently. */
export async function completeRecords(database: Database): Promise<void> {
  const { read, write } = database;
  if (await read.selectFrom("backfill").select("name").where("name", "=", COMPLETE_BACKFILL.name).executeTakeFirst()) return;
  for (const table of ["property", "category"] as const) while (await addSortNames(database, table));
  await addSearchTexts(database);
  await write
    .insertInto("backfill")
    .values(COMPLETE_BACKFILL)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds search text to records written by versions that didn't store it. Safe to run in several processes concurrently. */
async function addSearchTexts(database: Database): Promise<void> {
  const { write } = database;
  const properties = write
    .selectFrom("property")
    .selectAll()
    .where(noTextCondition("property", sql.ref("property.code"), sql.lit("")));
  const categories = write.selectFrom("category").selectAll();
  const plans = write.selectFrom("rate_plan").select(["property", "code", "name"]);
  const add = (rows: readonly SearchTextRow[]) => runStatements(write, writeSearchTexts(rows));
  for await (const batch of readInBatches(properties, orderByColumns("code"))) await add(batch.map(propertySearchRow));
  for await (const rowBatch of readInBatches(categories.where(lacksSearchText("category")), orderByColumns("property", "code")))
    await add(rowBatch.map(categorySearchRow));
  for await (const rowBatch of readInBatches(plans.where(lacksSearchText("plan")), orderByColumns("property", "code")))
    await add(rowBatch.map(planSearchRow));
}

function orderByColumns(...columns: string[]): SortOrder {
  return { columns, direction: "asc" };
}

function lacksSearchText(kind: "category" | "plan"): RawBuilder<boolean> {
  const table = kind === "plan" ? "rate_plan" : kind;
  return noTextCondition(kind, sql.ref(`${table}.property`), sql.ref(`${table}.code`));
}

function noTextCondition(kind: SearchTextRow["kind"], property: RawBuilder<unknown>, code: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select 1 from search_text as s where s.kind = ${kind} and s.property = ${property} and s.code = ${code})`;
}

const KEY_COLUMNS = { property: ["code"], category: ["property", "code"] } as const;

/** Both engines limit the number of parameters. */
const BATCH_SIZE = 500;

/** Adds sort names. Returns false if none is missing. Uses `case`, because with `where`, SQLite would scan all rows if none is missing. */
async function addSortNames({ write }: Database, table: keyof typeof KEY_COLUMNS): Promise<boolean> {
  const keys = KEY_COLUMNS[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const { rows } = await sql<Record<string, string>>`select ${columns}, name from ${sql.table(table)}
    where sort_name = '' order by ${columns} limit ${BATCH_SIZE}`.execute(write);
  if (rows.length === 0) return false;
  const keyedRows = rows.map((row) => sql`(${sql.join([toSortName(row.name!), ...keys.map((key) => row[key])])})`);
  const isSame = keys.map((key, index) => sql`${sql.ref(`${table}.${key}`)} = ${sql.ref(`keyed.column${index + 2}`)}`);
  await sql`update ${sql.table(table)} set sort_name = case sort_name when '' then keyed.column1 else sort_name end
    from (values ${sql.join(keyedRows)}) as keyed where ${sql.join(isSame, sql` and `)}`.execute(write);
  return true;
}
