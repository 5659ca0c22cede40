import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import {
  splitIntoBatches,
  type RowCount,
  countRows,
  readInBatches,
  type ListResult,
  listPage,
  type ListQuery,
  type SortOrder,
} from "../../db/listing.ts";
import { archivedProperties, countRecords } from "../counts.ts";
import { isPropertyCode } from "../property/property.ts";
import { wordsCondition } from "../search.ts";
import { type Category, isCategoryCode } from "./category.ts";
import { fromRow, type CategoryKey } from "./store.ts";

/** Sortable columns. Property, name and status have an index. */
export const CATEGORY_SORTS = ["hotelCode", "name", "code", "kind", "rooms", "guests", "status"] as const;

const SORT_COLUMNS: Readonly<Record<(typeof CATEGORY_SORTS)[number], readonly string[]>> = {
  hotelCode: [],
  name: ["c.sort_name"],
  code: ["c.code"],
  kind: ["c.kind"],
  rooms: ["c.rooms"],
  guests: ["c.max_occupancy"],
  status: ["c.status"],
};

const KEY = ["c.property", "c.code"];

/** If `hotelCode` is empty, lists the categories of all properties except archived ones. */
export type CategoryQuery = ListQuery & CategoryFilters;

type CategoryFilters = { q: string; hotelCode: string; status?: string | undefined };

/** Lists one page of categories. Each word in `q` must occur within a word of the category. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<ListResult<Category>> {
  const source = {
    listed: () => listedQuery(database, query),
    all: () => database.read.selectFrom("category as c"),
    select: (rows: ReturnType<typeof listedQuery>) => rows.selectAll(),
    order: sortOrder(query),
    key: KEY,
    readKey: (text: string) => readKey(text).map(({ hotelCode, code }) => [hotelCode, code])[0],
    count: () => countListed(database, query),
  };
  const { lines, count } = await listPage(source, query);
  return { lines: lines.map(fromRow), count };
}

function countListed(database: Database, query: CategoryQuery): Promise<RowCount> {
  return query.q === "" && query.hotelCode === "" && query.status === undefined
    ? countRecords(database, "category")
    : countRows(database, listedQuery(database, query).select("c.code as key"));
}

function oneOfCondition(keys: readonly { property: string; code: string }[]) {
  const tuples = keys.map(({ property, code }) => sql`(${property}, ${code})`);
  return sql<boolean>`(c.property, c.code) in (values ${sql.join(tuples)})`;
}

function sortOrder({ sort, direction }: ListQuery): SortOrder {
  const sortField = CATEGORY_SORTS.find((one) => one === sort) ?? "hotelCode";
  return { columns: [...SORT_COLUMNS[sortField], ...KEY], direction };
}

function listedQuery({ read }: Database, filters: CategoryFilters) {
  return read.selectFrom("category as c").where(({ and }) => and(filterConditions(read, filters)));
}

function filterConditions(db: Database["read"], { q, hotelCode, status }: CategoryFilters) {
  return [
    hotelCode === "" ? sql<boolean>`c.property not in ${archivedProperties(db)}` : propertyCondition("c.property", hotelCode),
    ...(status === undefined ? [] : [sql<boolean>`c.status = ${status}`]),
    ...(q === "" ? [] : [sql<boolean>`(c.property, c.code) in (${searchCondition(q, hotelCode)})`]),
  ];
}

/** Searches for categories. Also filters the search by property, so that it reads only this property's rows. */
function searchCondition(q: string, hotelCode: string) {
  const foundCategories = sql`select property, code from search_text where ${wordsCondition("category", q)}`;
  return hotelCode === "" ? foundCategories : sql`${foundCategories} and ${propertyCondition("property", hotelCode)}`;
}

function propertyCondition(column: string, hotelCode: string) {
  return isPropertyCode(hotelCode) ? sql<boolean>`${sql.ref(column)} = ${hotelCode}` : sql<boolean>`1 = 0`;
}

/** Reads categories in the order of `keys`. Skips unknown keys. */
export async function readCategories(database: Database, keys: readonly CategoryKey[]): Promise<Category[]> {
  const foundCategories = new Map<string, Category>();
  for (const keyBatch of splitIntoBatches(keys)) {
    const wantedKeys = keyBatch.map(({ hotelCode, code }) => ({ property: hotelCode, code }));
    const rows = await database.read.selectFrom("category as c").selectAll().where(oneOfCondition(wantedKeys)).execute();
    for (const row of rows) foundCategories.set(keyText({ hotelCode: row.property, code: row.code }), fromRow(row));
  }
  return keys.flatMap((key) => foundCategories.get(keyText(key)) ?? []);
}

/** Uses a slash as the separator, because codes can't contain one. */
export function keyText({ hotelCode, code }: CategoryKey): string {
  return `${hotelCode}/${code}`;
}

export function readKey(text: string): CategoryKey[] {
  const [hotelCode = "", code = "", ...more] = text.split("/");
  return more.length === 0 && isPropertyCode(hotelCode) && isCategoryCode(code) ? [{ hotelCode, code }] : [];
}

export async function* streamCategories(database: Database, query: CategoryQuery): AsyncGenerator<readonly Category[]> {
  for await (const rows of readInBatches(listedQuery(database, query).selectAll(), sortOrder(query))) yield rows.map(fromRow);
}
