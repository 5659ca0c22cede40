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
import { archivedProperties, countRecords } from "../counts.ts";
import { isCode } from "../property/property.ts";
import { categoryTexts, hasWords, matches, wantedWords } from "../search.ts";
import { type Category, isCategoryCode } from "./category.ts";
import { fromRow, type CategoryKey } from "./store.ts";

/** Sortable columns. Property and name have an index. */
export const CATEGORY_SORTS = ["hotelCode", "name", "code", "kind", "rooms", "guests", "status"] as const;

const COLUMNS: Readonly<Record<(typeof CATEGORY_SORTS)[number], readonly string[]>> = {
  hotelCode: [],
  name: ["c.sort_name"],
  code: ["c.code"],
  kind: ["c.kind"],
  rooms: ["c.rooms"],
  guests: ["c.max_occupancy"],
  status: ["c.status"],
};

/** `hotelCode` is empty for all properties. With `after`, lists categories after this key, by property and code. */
export type CategoryQuery = ListQuery & { hotelCode: string; status?: string | undefined; after?: string | undefined };

/** Lists one page of categories. Each word in `q` must occur within a word of the category. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  if (query.after !== undefined) return listAfter(database, query, query.after);
  if (query.hotelCode !== "") return listOfProperty(database, query);
  const rows = await pageOf(listedOverall(database, query).selectAll(), orderOf(query), query).execute();
  return { lines: rows.map(fromRow), count: countAtEnd(rows.length, query) ?? (await countListed(database, query)) };
}

async function listAfter(database: Database, query: CategoryQuery, after: string): Promise<Listed<Category>> {
  const [{ hotelCode, code } = { hotelCode: "", code: "" }] = readKey(after);
  const chosen = listed(database, query);
  const wanted = query.hotelCode === "" ? listedOverall(database, query) : chosen.where("c.property", "=", query.hotelCode);
  const rest = wanted.selectAll().where(sql<boolean>`(c.property, c.code) > (${hotelCode}, ${code})`);
  const [rows, count] = await Promise.all([
    inOrder(rest, { columns: ["c.property", "c.code"], direction: "asc" })
      .limit(query.size)
      .execute(),
    countRows(database, wanted.select("c.code as key")),
  ]);
  return { lines: rows.map(fromRow), count };
}

function countListed(database: Database, query: CategoryQuery): Promise<Count> {
  return query.q === "" && query.status === undefined
    ? countRecords(database, "category")
    : countRows(database, listedOverall(database, query).select("c.code as key"));
}

/** Reads all categories of the property; there are few enough to filter here. */
async function listOfProperty(database: Database, { hotelCode, status, ...query }: CategoryQuery): Promise<Listed<Category>> {
  if (!isCode(hotelCode)) return { lines: [], count: { total: 0, exact: true } };
  const wanted = wantedWords(query.q);
  const rows = await inOrder(listed(database, { status }).selectAll().where("c.property", "=", hotelCode), orderOf(query)).execute();
  const found = query.q === "" ? rows : rows.filter((row) => wanted.length > 0 && matches(wanted, categoryTexts(row)));
  return { lines: slice(found, query).map(fromRow), count: { total: found.length, exact: true } };
}

function isOneOf(keys: readonly { property: string; code: string }[]) {
  const tuples = keys.map(({ property, code }) => sql`(${property}, ${code})`);
  return sql<boolean>`(c.property, c.code) in (values ${sql.join(tuples)})`;
}

function orderOf({ sort, direction }: ListQuery): Order {
  const sorted = CATEGORY_SORTS.find((one) => one === sort) ?? "hotelCode";
  return { columns: [...COLUMNS[sorted], "c.property", "c.code"], direction };
}

function listed({ read }: Database, { q = "", status }: Partial<Pick<CategoryQuery, "q" | "status">>) {
  const all = read.selectFrom("category as c");
  const withStatus = status === undefined ? all : all.where("c.status", "=", status);
  if (q === "") return withStatus;
  return withStatus.where(sql<boolean>`(c.property, c.code) in (select property, code from search_text where ${hasWords("category", q)})`);
}

/** Omits the categories of archived properties. */
function listedOverall(database: Database, query: Partial<Pick<CategoryQuery, "q" | "status">>) {
  return listed(database, query).where("c.property", "not in", archivedProperties(database.read));
}

/** Reads categories in the order of `keys`. Skips unknown keys. */
export async function readCategories(database: Database, keys: readonly CategoryKey[]): Promise<Category[]> {
  const found = new Map<string, Category>();
  for (const some of batchesOf(keys)) {
    const wanted = some.map(({ hotelCode, code }) => ({ property: hotelCode, code }));
    const rows = await listed(database, {}).selectAll().where(isOneOf(wanted)).execute();
    for (const row of rows) found.set(keyText({ hotelCode: row.property, code: row.code }), fromRow(row));
  }
  return keys.flatMap((key) => found.get(keyText(key)) ?? []);
}

/** Uses a slash, which codes can't contain. */
export function keyText({ hotelCode, code }: CategoryKey): string {
  return `${hotelCode}/${code}`;
}

export function readKey(text: string): CategoryKey[] {
  const [hotelCode = "", code = "", ...more] = text.split("/");
  return more.length === 0 && isCode(hotelCode) && isCategoryCode(code) ? [{ hotelCode, code }] : [];
}

export async function* streamCategories(database: Database, query: CategoryQuery): AsyncGenerator<readonly Category[]> {
  if (query.hotelCode !== "") {
    yield (await listOfProperty(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER })).lines;
    return;
  }
  for await (const rows of inBatches(listedOverall(database, query).selectAll(), orderOf(query))) yield rows.map(fromRow);
}
