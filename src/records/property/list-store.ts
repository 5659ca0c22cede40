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
  type ListQuery,
} from "../../db/listing.ts";
import { prepared } from "../../db/prepared.ts";
import { countRecords } from "../counts.ts";
import { hasWords } from "../search.ts";
import type { Property } from "./property.ts";
import { type ExportedProperty, fromRow, toExported } from "./store.ts";

export type PropertyLine = Pick<Property, "code" | "name" | "status" | "city" | "country" | "currency"> & {
  categories: number;
  lastMessageAt: number | undefined;
};

/** Sortable columns. Name and code have an index. */
export const PROPERTY_SORTS = ["name", "code", "city", "currency", "categories", "lastMessage", "status"] as const;

/** `lastMessage` selects properties whose last message came before a time (milliseconds since 1970), or that never sent one. */
export type PropertyQuery = ListQuery & { status?: string | undefined; lastMessage?: "never" | { before: number } | undefined };

export async function listProperties(database: Database, query: PropertyQuery): Promise<Listed<PropertyLine>> {
  const rows = await readPage(database, query);
  return { lines: rows.map(toLine), count: countAtEnd(rows.length, query) ?? (await countListed(database, query)) };
}

/** Prepares the query for the unfiltered list, because it is the most common one. */
function readPage({ read }: Database, query: PropertyQuery) {
  if (isFiltered(query)) return pageOf(selectLines(read, query), orderOf(query), query).execute();
  const { sort, direction, page, size } = query;
  const whole = wholeLists.getOrInsertComputed(`${sort} ${direction}`, () => prepareWholeList(orderOf(query)));
  return whole(read, { size, offset: (page - 1) * size });
}

const wholeLists = new Map<string, ReturnType<typeof prepareWholeList>>();

function prepareWholeList(order: Order) {
  return prepared((db, { size, offset }: { size: number; offset: number }) =>
    inOrder(selectLines(db, {}), order).limit(size).offset(offset),
  );
}

function countListed(database: Database, query: PropertyQuery): Promise<Count> {
  return isFiltered(query) ? countRows(database, listed(database.read, query).select("p.code as key")) : countRecords(database, "property");
}

function isFiltered({ q, status, lastMessage }: PropertyQuery): boolean {
  return q !== "" || status !== undefined || lastMessage !== undefined;
}

const ORDERS: Readonly<Record<(typeof PROPERTY_SORTS)[number], readonly string[]>> = {
  name: ["p.sort_name"],
  code: [],
  city: ["p.sort_city"],
  currency: ["p.currency"],
  categories: ["p.categories"],
  lastMessage: ["p.sort_message"],
  status: ["p.status"],
};

function orderOf({ sort, direction }: ListQuery): Order {
  const sorted = PROPERTY_SORTS.find((one) => one === sort) ?? "code";
  return { columns: [...ORDERS[sorted], "p.code"], direction };
}

type Filters = Partial<Pick<PropertyQuery, "q" | "status" | "lastMessage">>;

function listed(db: Database["read"], filters: Filters) {
  return db.selectFrom(allProperties(db).as("p")).where(({ and }) => and(conditions(filters)));
}

/** Both engines merge it into the query around it. Columns for sorting are never null, so absent values sort first. */
function allProperties(db: Database["read"]) {
  return db
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .selectAll("p")
    .select(["a.last_message_at", sql<number>`coalesce(a.last_message_at, 0)`.as("sort_message")])
    .select(sql<string>`lower(coalesce(p.city, ''))`.as("sort_city"))
    .select(({ selectFrom, fn }) =>
      selectFrom("category as c").whereRef("c.property", "=", "p.code").select(fn.countAll<number>().as("n")).as("categories"),
    );
}

function conditions({ q = "", status, lastMessage }: Filters) {
  return [
    ...(q === "" ? [] : [sql<boolean>`p.code in (select property from search_text where ${hasWords("property", q)})`]),
    ...(status === undefined ? [] : [sql<boolean>`p.status = ${status}`]),
    ...(lastMessage === undefined ? [] : [lastMessageCondition(lastMessage)]),
  ];
}

function lastMessageCondition(lastMessage: "never" | { before: number }) {
  return lastMessage === "never" ? sql<boolean>`p.last_message_at is null` : sql<boolean>`p.last_message_at < ${lastMessage.before}`;
}

function selectLines(db: Database["read"], filters: Filters) {
  return listed(db, filters).select([
    "p.code",
    "p.name",
    "p.status",
    "p.city",
    "p.country",
    "p.currency",
    "p.last_message_at",
    "p.categories",
  ]);
}

function toLine(row: Awaited<ReturnType<ReturnType<typeof selectLines>["execute"]>>[number]): PropertyLine {
  return {
    code: row.code,
    name: row.name,
    status: row.status,
    city: row.city ?? undefined,
    country: row.country ?? undefined,
    currency: row.currency,
    categories: row.categories ?? 0,
    lastMessageAt: row.last_message_at ?? undefined,
  };
}

export async function readProperties(database: Database, codes: readonly string[]): Promise<ExportedProperty[]> {
  const found = new Map<string, ExportedProperty>();
  for (const some of batchesOf(codes)) {
    const rows = await database.read.selectFrom("property").selectAll().where("code", "in", some).execute();
    for (const row of rows) found.set(row.code, toExported(fromRow(row)));
  }
  return codes.flatMap((code) => found.get(code) ?? []);
}

/** Yields every matching property in batches. */
export async function* streamProperties(database: Database, query: PropertyQuery): AsyncGenerator<readonly ExportedProperty[]> {
  for await (const rows of inBatches(listed(database.read, query).selectAll("p"), orderOf(query)))
    yield rows.map((row) => toExported(fromRow(row)));
}
