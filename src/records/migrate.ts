import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import { batchesOf, inBatches, type Order } from "../db/listing.ts";
import { migrate } from "../db/migrate.ts";
import type { SearchWordRow } from "../db/schema.ts";
import { categoryWords, propertyWords } from "./search.ts";
import { sortName } from "./sort-name.ts";

/** Migrates the database, then completes records written by older versions. Returns the names of the migrations that ran. */
export async function migrateRecords(database: Database): Promise<string[]> {
  const done = await migrate(database);
  await completeRecords(database);
  return done;
}

/** Safe to run in several processes concurrently. */
export async function completeRecords(database: Database): Promise<void> {
  for (const table of ["property", "category"] as const) while (await addSortNames(database, table));
  await addSearchWords(database);
}

/** Adds search words to records from versions without search. Several processes may run this at the same time. */
async function addSearchWords(database: Database): Promise<void> {
  const property = database.write.selectFrom("property").selectAll();
  const category = database.write.selectFrom("category").selectAll();
  const properties = property.where(hasNoWord(sql.ref("property.code"), sql.lit("")));
  const categories = category.where(hasNoWord(sql.ref("category.property"), sql.ref("category.code")));
  for await (const some of inBatches(properties, inOrderOf("code"))) await addWords(database, some.flatMap(propertyWords));
  for await (const some of inBatches(categories, inOrderOf("property", "code"))) await addWords(database, some.flatMap(categoryWords));
}

function inOrderOf(...columns: string[]): Order {
  return { columns, direction: "asc" };
}

async function addWords({ write }: Database, words: readonly SearchWordRow[]): Promise<void> {
  for (const some of batchesOf(words)) {
    await write
      .insertInto("search_word")
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Leaves out the kind. With it, SQLite would use an index that makes it scan all words of that kind for each record. */
function hasNoWord(property: RawBuilder<unknown>, code: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select 1 from search_word where search_word.property = ${property} and search_word.code = ${code})`;
}

const KEYS = { property: ["code"], category: ["property", "code"] } as const;

/** Both engines limit the number of parameters. */
const BATCH_SIZE = 500;

/** Returns false if no sort name is missing. Uses `case`, because a condition in `where` would make SQLite scan all rows without one. */
async function addSortNames({ write }: Database, table: keyof typeof KEYS): Promise<boolean> {
  const keys = KEYS[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const { rows } = await sql<Record<string, string>>`select ${columns}, name from ${sql.table(table)}
    where sort_name = '' order by ${columns} limit ${BATCH_SIZE}`.execute(write);
  if (rows.length === 0) return false;
  const keyed = rows.map((row) => sql`(${sql.join([sortName(row.name!), ...keys.map((key) => row[key])])})`);
  const isSame = keys.map((key, index) => sql`${sql.ref(`${table}.${key}`)} = ${sql.ref(`keyed.column${index + 2}`)}`);
  await sql`update ${sql.table(table)} set sort_name = case sort_name when '' then keyed.column1 else sort_name end
    from (values ${sql.join(keyed)}) as keyed where ${sql.join(isSame, sql` and `)}`.execute(write);
  return true;
}
