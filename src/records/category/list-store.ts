import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import {
  type Count,
  countRows,
  batchesOf,
  countAtEnd,
  inBatches,
  inOrder,
  type Listed,
  type Order,
  pageOf,
  slice,
  type ListQuery,
} from "../../db/listing.ts";
import { countRecords } from "../counts.ts";
import { isCode } from "../property/property.ts";
import { categoryTexts, type Found, matches, search, type SearchKey, wantedWords } from "../search.ts";
import { type Category, isCategoryCode } from "./category.ts";
import { fromRow, type CategoryKey } from "./store.ts";

/** Sortable columns. Each has an index. */
export const CATEGORY_SORTS = ["hotelCode", "name"] as const;

/** `hotelCode` is empty for all properties. */
export type CategoryQuery = ListQuery & { hotelCode: string; status?: string | undefined };

/** Lists one page of categories. Each word of `q` must be the start of a word in the category. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  if (query.hotelCode !== "") return listOfProperty(database, query);
  if (query.q !== "") return searchCategories(database, query);
  const rows = await pageOf(listed(database, query).selectAll(), orderOf(query), query).execute();
  return { lines: rows.map(fromRow), count: countAtEnd(rows.length, query) ?? (await countListed(database, query)) };
}

function countListed(database: Database, query: CategoryQuery): Promise<Count> {
  return query.status === undefined
    ? countRecords(database, "category")
    : countRows(database, listed(database, query).select("c.code as key"));
}

/** Reads all categories of the property; there are few enough to filter here. */
async function listOfProperty(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  if (!isCode(query.hotelCode)) return { lines: [], count: { total: 0, exact: true } };
  const wanted = wantedWords(query.q);
  const rows = await inOrder(listed(database, query).selectAll().where("c.property", "=", query.hotelCode), orderOf(query)).execute();
  const found = query.q === "" ? rows : rows.filter((row) => wanted.length > 0 && matches(wanted, categoryTexts(row)));
  return { lines: slice(found, query).map(fromRow), count: { total: found.length, exact: true } };
}

async function searchCategories(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  const { keys, exact } = await searchKeys(database, query);
  const count = { total: keys.length, exact };
  if (keys.length === 0) return { lines: [], count };
  const rows = await pageOf(listed(database, query).selectAll().where(isOneOf(keys)), orderOf(query), query).execute();
  return { lines: rows.map(fromRow), count };
}

function searchKeys(database: Database, query: CategoryQuery): Promise<Found<SearchKey>> {
  const keep = (keys: readonly SearchKey[]) => listed(database, query).where(isOneOf(keys)).select(["c.property", "c.code"]).execute();
  return search(database, { ...query, kind: "category", keep });
}

function isOneOf(keys: readonly SearchKey[]) {
  const tuples = keys.map(({ property, code }) => sql`(${property}, ${code})`);
  return sql<boolean>`(c.property, c.code) in (values ${sql.join(tuples)})`;
}

function orderOf({ sort, direction }: ListQuery): Order {
  return { columns: [...(sort === "name" ? ["c.sort_name"] : []), "c.property", "c.code"], direction };
}

function listed({ read }: Database, { status }: Pick<CategoryQuery, "status">) {
  const all = read.selectFrom("category as c");
  return status === undefined ? all : all.where("c.status", "=", status);
}

/** Reads categories in the order of `keys`, skipping unknown keys. */
export async function readCategories(database: Database, keys: readonly CategoryKey[]): Promise<Category[]> {
  const found = new Map<string, Category>();
  for (const some of batchesOf(keys)) {
    const wanted = some.map(({ hotelCode, code }) => ({ property: hotelCode, code }));
    const rows = await listed(database, {}).selectAll().where(isOneOf(wanted)).execute();
    for (const row of rows) found.set(keyText({ hotelCode: row.property, code: row.code }), fromRow(row));
  }
  return keys.flatMap((key) => found.get(keyText(key)) ?? []);
}

/** Codes contain no slash. */
export function keyText({ hotelCode, code }: CategoryKey): string {
  return `${hotelCode}/${code}`;
}

export function readKey(text: string): CategoryKey[] {
  const [hotelCode = "", code = "", ...more] = text.split("/");
  return more.length === 0 && isCode(hotelCode) && isCategoryCode(code) ? [{ hotelCode, code }] : [];
}

/** Yields every matching category in batches. If the search is cut off, reads all categories and filters them here. */
export async function* streamCategories(database: Database, query: CategoryQuery): AsyncGenerator<readonly Category[]> {
  if (query.hotelCode !== "") {
    yield (await listOfProperty(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER })).lines;
    return;
  }
  const found = query.q === "" ? undefined : await searchKeys(database, query);
  if (found?.keys.length === 0) return;
  const all = listed(database, query).selectAll();
  const wanted = wantedWords(query.q);
  for await (const rows of inBatches(found?.exact ? all.where(isOneOf(found.keys)) : all, orderOf(query))) {
    yield rows.filter((row) => matches(wanted, categoryTexts(row))).map(fromRow);
  }
}
