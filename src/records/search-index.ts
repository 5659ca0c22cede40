import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import { batchesOf, inBatches, type Order } from "../db/listing.ts";
import type { SearchWordRow } from "../db/schema.ts";
import { categoryWords, propertyWords } from "./search.ts";

/**
 * Writes the words of records without any, left by a version that did not search by words. Another process may write
 * the same ones meanwhile.
 */
export async function indexUnfound(database: Database): Promise<void> {
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

/**
 * Asks by the code, which implies the kind. Asked by the kind, SQLite would take the index that begins with it, as it has every
 * column, and scan all words of the kind for each record.
 */
function hasNoWord(property: RawBuilder<unknown>, code: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select 1 from search_word where search_word.property = ${property} and search_word.code = ${code})`;
}
