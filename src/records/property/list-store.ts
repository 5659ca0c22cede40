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
import { type Found, matches, propertyTexts, search, wantedWords } from "../search.ts";
import type { Property } from "./property.ts";
import { type ExportedProperty, fromRow, toExported } from "./store.ts";

export type PropertyLine = Pick<Property, "code" | "name" | "status" | "city" | "country" | "currency"> & {
  categories: number;
  lastMessageAt: number | undefined;
};

/** Sortable columns. Each has an index. */
export const PROPERTY_SORTS = ["name", "code"] as const;

/** `lastMessage` selects properties whose last message came before a time (milliseconds since 1970), or that never sent one. */
export type PropertyQuery = ListQuery & { status?: string | undefined; lastMessage?: "never" | { before: number } | undefined };

export async function listProperties(database: Database, query: PropertyQuery): Promise<Listed<PropertyLine>> {
  if (query.q !== "") return searchProperties(database, query);
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

function isFiltered({ status, lastMessage }: PropertyQuery): boolean {
  return status !== undefined || lastMessage !== undefined;
}

async function searchProperties(database: Database, query: PropertyQuery): Promise<Listed<PropertyLine>> {
  const { keys, exact } = await searchCodes(database, query);
  const count = { total: keys.length, exact };
  if (keys.length === 0) return { lines: [], count };
  const rows = await pageOf(selectLines(database.read, query).where("p.code", "in", keys), orderOf(query), query).execute();
  return { lines: rows.map(toLine), count };
}

function searchCodes(database: Database, query: PropertyQuery): Promise<Found<string>> {
  return search(database, {
    ...query,
    kind: "property",
    async keep(keys) {
      const codes = keys.map(({ property }) => property);
      const rows = await listed(database.read, query).where("p.code", "in", codes).select("p.code").execute();
      return rows.map(({ code }) => code);
    },
  });
}

function orderOf({ sort, direction }: ListQuery): Order {
  return { columns: sort === "name" ? ["p.sort_name", "p.code"] : ["p.code"], direction };
}

type Filters = Pick<PropertyQuery, "status" | "lastMessage">;

function listed(db: Database["read"], filters: Filters) {
  return db
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where(({ and }) => and(conditions(filters)));
}

function conditions({ status, lastMessage }: Filters) {
  return [
    ...(status === undefined ? [] : [sql<boolean>`p.status = ${status}`]),
    ...(lastMessage === undefined ? [] : [lastMessageCondition(lastMessage)]),
  ];
}

function lastMessageCondition(lastMessage: "never" | { before: number }) {
  return lastMessage === "never" ? sql<boolean>`a.last_message_at is null` : sql<boolean>`a.last_message_at < ${lastMessage.before}`;
}

function selectLines(db: Database["read"], filters: Filters) {
  return listed(db, filters)
    .select(["p.code", "p.name", "p.status", "p.city", "p.country", "p.currency", "a.last_message_at"])
    .select(({ selectFrom, fn }) =>
      selectFrom("category as c").whereRef("c.property", "=", "p.code").select(fn.countAll<number>().as("n")).as("categories"),
    );
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

/** Yields every matching property in batches. If the search is cut off, reads all properties and filters them here. */
export async function* streamProperties(database: Database, query: PropertyQuery): AsyncGenerator<readonly ExportedProperty[]> {
  const found = query.q === "" ? undefined : await searchCodes(database, query);
  if (found?.keys.length === 0) return;
  const all = listed(database.read, query).selectAll("p");
  const wanted = wantedWords(query.q);
  for await (const rows of inBatches(found?.exact ? all.where("p.code", "in", found.keys) : all, orderOf(query))) {
    yield rows.filter((row) => matches(wanted, propertyTexts(row))).map((row) => toExported(fromRow(row)));
  }
}
