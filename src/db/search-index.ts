import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { SearchWordRow } from "./schema.ts";
import { categoryWords, propertyWords } from "./search.ts";

/** Few enough values in a statement for both engines. */
const RECORDS_AT_ONCE = 100;

/**
 * Writes the words of records without any, left by a version that did not search by words. Another process may write
 * the same ones meanwhile.
 */
export async function indexUnfound(database: Database): Promise<void> {
  const property = database.write.selectFrom("property").selectAll().limit(RECORDS_AT_ONCE);
  const category = database.write.selectFrom("category").selectAll().limit(RECORDS_AT_ONCE);
  const properties = property.where(hasNoWord(sql.ref("property.code"), sql.lit("")));
  const categories = category.where(hasNoWord(sql.ref("category.property"), sql.ref("category.code")));
  await inPortions(database, async () => (await properties.execute()).map(propertyWords));
  await inPortions(database, async () => (await categories.execute()).map(categoryWords));
}

async function inPortions({ write }: Database, next: () => Promise<SearchWordRow[][]>): Promise<void> {
  for (;;) {
    const rows = (await next()).flat();
    if (rows.length === 0) return;
    await write
      .insertInto("search_word")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Asks by the code, which implies the kind. Asked by the kind, SQLite would take the index that begins with it, as it has every
 * column, and scan all words of the kind for each record.
 */
function hasNoWord(property: RawBuilder<unknown>, code: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select 1 from search_word where search_word.property = ${property} and search_word.code = ${code})`;
}
