import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import {
  splitIntoBatches,
  type RowCount,
  countRows,
  readInBatches,
  orderRows,
  type ListResult,
  listPage,
  type ListQuery,
  type SortOrder,
} from "../../db/listing.ts";
import { prepareStatement } from "../../db/prepared.ts";
import { countRecords } from "../counts.ts";
import { wordsCondition } from "../search.ts";
import { isPropertyCode, type Property } from "./property.ts";
import { type ExportedProperty, fromRow, toExported } from "./store.ts";

export type PropertyListItem = Pick<Property, "code" | "name" | "status" | "city" | "country" | "currency"> & {
  categories: number;
  lastMessageAt: number | undefined;
};

/** Sortable columns. Name, code and status have an index. */
export const PROPERTY_SORTS = ["name", "code", "city", "currency", "categories", "lastMessage", "status"] as const;

/**
 * Without a status, archived properties are omitted. `lastMessage` selects properties whose last message arrived before a time (milliseconds
 * since 1970), or that have none.
 */
export type PropertyQuery = ListQuery & PropertyFilters;

type PropertyFilters = {
  q?: string;
  status?: string | undefined;
  /** Case-insensitive. */
  group?: string | undefined;
  country?: string | undefined;
  lastMessage?: "never" | { before: number } | undefined;
};

export async function listProperties(database: Database, query: PropertyQuery): Promise<ListResult<PropertyListItem>> {
  const source = { ...listSource(database, query), select: selectLine };
  const isUnfilteredFirstPage = !isFiltered(query) && query.page === 1;
  const { lines, count } = await listPage(source, query, isUnfilteredFirstPage ? () => readWholeList(database, query) : undefined);
  return { lines: lines.map(toLine), count };
}

function listSource(database: Database, query: PropertyQuery) {
  return {
    listed: () => listedQuery(database.read, query),
    all: () => database.read.selectFrom(propertiesQuery(database.read).as("p")),
    order: sortOrder(query),
    key: ["p.code"],
    readKey: (text: string) => (isPropertyCode(text) ? [text] : undefined),
    count: () => countListed(database, query),
  };
}

/** Reads the first page of the unfiltered list with a prepared query, because it is the most common one. */
function readWholeList({ read }: Database, query: PropertyQuery) {
  const { sort, direction, size } = query;
  const wholeListQuery = wholeListQueries.getOrInsertComputed(`${sort} ${direction}`, () => prepareWholeList(sortOrder(query)));
  return wholeListQuery(read, { size });
}

const wholeListQueries = new Map<string, ReturnType<typeof prepareWholeList>>();

function prepareWholeList(order: SortOrder) {
  return prepareStatement((db, { size }: { size: number }) => orderRows(selectLine(listedQuery(db, {})), order).limit(size));
}

function countListed(database: Database, query: PropertyQuery): Promise<RowCount> {
  return isFiltered(query)
    ? countRows(database, listedQuery(database.read, query).select("p.code as key"))
    : countRecords(database, "property");
}

function isFiltered({ q, status, group, country, lastMessage }: PropertyQuery): boolean {
  return q !== "" || [status, group, country, lastMessage].some((filter) => filter !== undefined);
}

const SORT_COLUMNS: Readonly<Record<(typeof PROPERTY_SORTS)[number], readonly string[]>> = {
  name: ["p.sort_name"],
  code: [],
  city: ["p.sort_city"],
  currency: ["p.currency"],
  categories: ["p.categories"],
  lastMessage: ["p.sort_message"],
  status: ["p.status"],
};

function sortOrder({ sort, direction }: ListQuery): SortOrder {
  const sortField = PROPERTY_SORTS.find((one) => one === sort) ?? "code";
  return { columns: [...SORT_COLUMNS[sortField], "p.code"], direction };
}

function listedQuery(db: Database["read"], filters: PropertyFilters) {
  return db.selectFrom(propertiesQuery(db).as("p")).where(({ and }) => and(filterConditions(filters)));
}

/**
 * Selects all properties with their sort columns. Both engines merge this subquery into the outer query. Sort columns are never null, so
 * absent values sort first.
 */
function propertiesQuery(db: Database["read"]) {
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

function filterConditions({ q = "", status, group, country, lastMessage }: PropertyFilters) {
  return [
    ...(q === "" ? [] : [sql<boolean>`p.code in (select property from search_text where ${wordsCondition("property", q)})`]),
    status === undefined ? sql<boolean>`p.status <> 'archived'` : sql<boolean>`p.status = ${status}`,
    ...(group === undefined ? [] : [sql<boolean>`lower(p.group_name) = ${group.toLowerCase()}`]),
    ...(country === undefined ? [] : [sql<boolean>`p.country = ${country}`]),
    ...(lastMessage === undefined ? [] : [lastMessageCondition(lastMessage)]),
  ];
}

function lastMessageCondition(lastMessage: "never" | { before: number }) {
  return lastMessage === "never" ? sql<boolean>`p.last_message_at is null` : sql<boolean>`p.last_message_at < ${lastMessage.before}`;
}

function selectLine(rows: ReturnType<typeof listedQuery>) {
  return rows.select(["p.code", "p.name", "p.status", "p.city", "p.country", "p.currency", "p.last_message_at", "p.categories"]);
}

function toLine(row: Awaited<ReturnType<ReturnType<typeof selectLine>["execute"]>>[number]): PropertyListItem {
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
  const foundProperties = new Map<string, ExportedProperty>();
  for (const codeBatch of splitIntoBatches(codes)) {
    const rows = await database.read.selectFrom("property").selectAll().where("code", "in", codeBatch).execute();
    for (const row of rows) foundProperties.set(row.code, toExported(fromRow(row)));
  }
  return codes.flatMap((code) => foundProperties.get(code) ?? []);
}

export async function* streamProperties(database: Database, query: PropertyQuery): AsyncGenerator<readonly ExportedProperty[]> {
  for await (const rows of readInBatches(listedQuery(database.read, query).selectAll("p"), sortOrder(query)))
    yield rows.map((row) => toExported(fromRow(row)));
}

/** The property fields that the portfolio needs. */
export type PortfolioProperty = Pick<Property, "code" | "name" | "status" | "currency" | "timeZone" | "horizonDays"> & {
  lastMessageAt: number | undefined;
};

export async function listPortfolio(database: Database, query: PropertyQuery): Promise<ListResult<PortfolioProperty>> {
  const { lines, count } = await listPage({ ...listSource(database, query), select: selectPortfolio }, query);
  return { lines: lines.map(toPortfolio), count };
}

export async function listWholePortfolio({ read }: Database, query: PropertyQuery): Promise<PortfolioProperty[]> {
  return (await orderRows(selectPortfolio(listedQuery(read, query)), sortOrder(query)).execute()).map(toPortfolio);
}

function selectPortfolio(rows: ReturnType<typeof listedQuery>) {
  return rows.select(["p.code", "p.name", "p.status", "p.currency", "p.time_zone", "p.horizon_days", "p.last_message_at"]);
}

function toPortfolio(row: Awaited<ReturnType<ReturnType<typeof selectPortfolio>["execute"]>>[number]): PortfolioProperty {
  const { time_zone: timeZone, horizon_days: horizonDays, last_message_at: lastMessageAt, ...others } = row;
  return { ...others, timeZone, horizonDays, lastMessageAt: lastMessageAt ?? undefined };
}

const MAX_CHOICES = 300;

/** Returns all groups and countries of properties, sorted. */
export async function listGroupsAndCountries({ read }: Database): Promise<{ groups: string[]; countries: string[] }> {
  const valuesOf = async (column: "group_name" | "country") => {
    const rows = await read
      .selectFrom("property")
      .select(column)
      .distinct()
      .where(column, "is not", null)
      .orderBy(column)
      .limit(MAX_CHOICES)
      .execute();
    return rows.map((row) => row[column]!);
  };
  const [groups, countries] = await Promise.all([valuesOf("group_name"), valuesOf("country")]);
  return { groups, countries };
}
