import { sql } from "kysely";
import { countRows } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import { batchesOf, inBatches, type Listed, type Order, pageOf } from "../../db/listing.ts";
import { type Found, matches, propertyTexts, search, wantedWords } from "../../db/search.ts";
import type { ListQuery } from "../../web/parts/list.ts";
import { type ExportedProperty, toExported } from "./export.ts";
import type { Property } from "./property.ts";
import { fromRow } from "./row.ts";

/** A property as the list shows it. */
export type PropertyLine = Pick<Property, "code" | "name" | "status" | "city" | "country" | "currency"> & {
  categories: number;
  lastMessageAt: number | undefined;
};

/** The columns that the list can be sorted by; each has an index. */
export const PROPERTY_SORTS = ["name", "code"] as const;

/** Which properties to list: of a status, or last heard of before a moment, in milliseconds since 1970, or never. */
export type PropertyQuery = ListQuery & { status?: string | undefined; heard?: "never" | { before: number } | undefined };

/** One page of the properties, all or those in which each word of `q` begins a word, and how many there are. */
export async function listProperties(database: Database, query: PropertyQuery): Promise<Listed<PropertyLine>> {
  if (query.q !== "") return searchProperties(database, query);
  const rows = await pageOf(selectLines(database, query), orderOf(query), query).execute();
  return { lines: rows.map(toLine), count: await countRows(database, listed(database, query).select("p.code as key")) };
}

async function searchProperties(database: Database, query: PropertyQuery): Promise<Listed<PropertyLine>> {
  const { keys, exact } = await searchCodes(database, query);
  const count = { total: keys.length, exact };
  if (keys.length === 0) return { lines: [], count };
  const rows = await pageOf(selectLines(database, query).where("p.code", "in", keys), orderOf(query), query).execute();
  return { lines: rows.map(toLine), count };
}

function searchCodes(database: Database, query: PropertyQuery): Promise<Found<string>> {
  return search(database, {
    ...query,
    kind: "property",
    async keep(keys) {
      const codes = keys.map(({ property }) => property);
      const rows = await listed(database, query).where("p.code", "in", codes).select("p.code").execute();
      return rows.map(({ code }) => code);
    },
  });
}

function orderOf({ sort, direction }: ListQuery): Order {
  return { columns: sort === "name" ? ["p.sort_name", "p.code"] : ["p.code"], direction };
}

function listed(database: Database, query: PropertyQuery) {
  return database.read
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where(({ and }) => and(conditions(query)));
}

function conditions({ status, heard }: PropertyQuery) {
  return [...(status === undefined ? [] : [sql<boolean>`p.status = ${status}`]), ...(heard === undefined ? [] : [lastHeard(heard)])];
}

function lastHeard(heard: "never" | { before: number }) {
  return heard === "never" ? sql<boolean>`a.last_message_at is null` : sql<boolean>`a.last_message_at < ${heard.before}`;
}

function selectLines(database: Database, query: PropertyQuery) {
  return listed(database, query)
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

/** The whole records of properties, in the same order; a code that no property has is left out. */
export async function readProperties(database: Database, codes: readonly string[]): Promise<ExportedProperty[]> {
  const found = new Map<string, ExportedProperty>();
  for (const some of batchesOf(codes)) {
    const rows = await database.read.selectFrom("property").selectAll().where("code", "in", some).execute();
    for (const row of rows) found.set(row.code, toExported(fromRow(row)));
  }
  return codes.flatMap((code) => found.get(code) ?? []);
}

/** Every property that a query lists, in its order and in batches. Where a search finds too many, all are looked at. */
export async function* everyProperty(database: Database, query: PropertyQuery): AsyncGenerator<readonly ExportedProperty[]> {
  const found = query.q === "" ? undefined : await searchCodes(database, query);
  if (found?.keys.length === 0) return;
  const all = listed(database, query).selectAll("p");
  const wanted = wantedWords(query.q);
  for await (const rows of inBatches(found?.exact ? all.where("p.code", "in", found.keys) : all, orderOf(query))) {
    yield rows.filter((row) => matches(wanted, propertyTexts(row))).map((row) => toExported(fromRow(row)));
  }
}
