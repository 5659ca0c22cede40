import { type Kysely, sql } from "kysely";
import { countRows, countUpTo, type Count } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import { isDuplicate } from "../../db/faults.ts";
import { type Change, type Edit, recordStore, type Update } from "../../db/record-store.ts";
import type { Tables } from "../../db/schema.ts";
import { type Candidates, findRarest, keysOf, matches, propertySearchStatements, propertyTexts, wordsOf } from "../../db/search.ts";
import { sorted } from "../../db/sort-name.ts";
import type { ListQuery } from "../../web/parts/list.ts";
import { typedFields } from "../../web/rules.ts";
import { isCode, PROPERTY_FIELDS, type Property, type PropertyFields } from "./property.ts";
import { fromRow, toRow } from "./row.ts";

/** The property with this code; undefined when there is none. */
export async function findProperty(database: Database, code: string): Promise<Property | undefined> {
  if (!isCode(code)) return undefined;
  return findIn(database.read, code);
}

/** A property as the list shows it. */
export type PropertyLine = Pick<Property, "code" | "name" | "status" | "city" | "country" | "currency"> & {
  categories: number;
  lastMessageAt: number | undefined;
};

/** The columns that the list can be sorted by; each has an index. */
export const PROPERTY_SORTS = ["name", "code"] as const;

/** Which properties to list: of a status, or not heard of since a moment, in milliseconds since 1970. */
export type PropertyQuery = ListQuery & { status?: string | undefined; silentSince?: number | undefined };

/** One page of the properties, all or those in which each word of `q` begins a word, and how many there are. */
export async function listProperties(database: Database, query: PropertyQuery): Promise<{ lines: PropertyLine[]; count: Count }> {
  if (query.q !== "") return searchProperties(database, query);
  const rows = await inOrder(selectLines(database, query), query)
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { lines: rows.map(toLine), count: await countListed(database, query) };
}

function countListed(database: Database, query: PropertyQuery): Promise<Count> {
  const narrowed = query.status !== undefined || query.silentSince !== undefined;
  return narrowed ? countRows(database, listed(database, query).select("p.code as key")) : countUpTo(database, "property");
}

/** When the count is not exact, only the first of those that match were looked at. */
async function searchProperties(database: Database, query: PropertyQuery): Promise<{ lines: PropertyLine[]; count: Count }> {
  const wanted = wordsOf([query.q]);
  const candidates = await findRarest(database, "property", wanted);
  if (!candidates) return { lines: [], count: { total: 0, exact: true } };
  const found = (await selectTexts(database, candidates, query)).filter((row) => matches(wanted, propertyTexts(row)));
  const start = (query.page - 1) * query.size;
  const codes = found.slice(start, start + query.size).map(({ code }) => code);
  const rows = codes.length === 0 ? [] : await inOrder(selectLines(database, query).where("p.code", "in", codes), query).execute();
  return { lines: rows.map(toLine), count: { total: found.length, exact: candidates.all } };
}

function selectTexts(database: Database, candidates: Candidates, query: PropertyQuery) {
  const all = database.read
    .selectFrom(keysOf(database.read, candidates).as("k"))
    .innerJoin("property as p", "p.code", "k.property")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where(({ and }) => and(conditions(query)))
    .select(["p.code", "p.name", "p.city", "p.region", "p.country", "p.group_name", "p.external_id"]);
  return (query.sort === "code" ? all : all.orderBy("p.sort_name", query.direction)).orderBy("p.code", query.direction).execute();
}

type Lines = ReturnType<typeof selectLines>;

function inOrder(lines: Lines, { sort, direction }: ListQuery): Lines {
  const named = sort === "code" ? lines : lines.orderBy("p.sort_name", direction);
  return named.orderBy("p.code", direction);
}

function listed(database: Database, query: PropertyQuery) {
  return database.read
    .selectFrom("property as p")
    .leftJoin("property_activity as a", "a.property", "p.code")
    .where(({ and }) => and(conditions(query)));
}

function conditions({ status, silentSince }: PropertyQuery) {
  return [
    ...(status === undefined ? [] : [sql<boolean>`p.status = ${status}`]),
    ...(silentSince === undefined ? [] : [sql<boolean>`coalesce(a.last_message_at, 0) < ${silentSince}`]),
  ];
}

function selectLines(database: Database, query: PropertyQuery) {
  return listed(database, query)
    .select(["p.code", "p.name", "p.sort_name", "p.status", "p.city", "p.country", "p.currency", "a.last_message_at"])
    .select(({ selectFrom, fn }) =>
      selectFrom("category as c").whereRef("c.property", "=", "p.code").select(fn.countAll<number>().as("n")).as("categories"),
    );
}

type LineRow = Awaited<ReturnType<Lines["execute"]>>[number];

function toLine(row: LineRow): PropertyLine {
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

/** The whole records of lines, in the same order. */
export async function readProperties(database: Database, lines: readonly { code: string }[]): Promise<Property[]> {
  const found = new Map<string, Property>();
  for (let at = 0; at < lines.length; at += READ_AT_ONCE) {
    const codes = lines.slice(at, at + READ_AT_ONCE).map(({ code }) => code);
    const rows = await database.read.selectFrom("property").selectAll().where("code", "in", codes).execute();
    for (const row of rows) found.set(row.code, fromRow(row));
  }
  return lines.flatMap(({ code }) => found.get(code) ?? []);
}

const READ_AT_ONCE = 250;

/** Every property that a query lists, in its order and in batches. */
export async function* everyProperty(database: Database, query: PropertyQuery): AsyncGenerator<readonly Property[]> {
  if (query.q !== "") {
    yield await readProperties(database, (await listProperties(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER })).lines);
    return;
  }
  const all = inOrder(selectLines(database, query), query).limit(READ_AT_ONCE);
  for (let lines = await all.execute(); lines.length > 0; lines = await all.where(isBehind(lines.at(-1)!, query)).execute()) {
    yield await readProperties(database, lines);
  }
}

/** Whether a property stands behind another in the order of a query. */
function isBehind({ sort_name, code }: LineRow, { sort, direction }: ListQuery) {
  const than = sql.raw(direction === "asc" ? ">" : "<");
  return sort === "code" ? sql<boolean>`p.code ${than} ${code}` : sql<boolean>`(p.sort_name, p.code) ${than} (${sort_name}, ${code})`;
}

const SUGGESTED = 200;

/** The first properties by code, for a form in which one is chosen. */
export async function suggestProperties(database: Database): Promise<{ code: string; name: string }[]> {
  return database.read.selectFrom("property").select(["code", "name"]).orderBy("code").limit(SUGGESTED).execute();
}

/** A category as the page of its property lists it. */
export type PropertyCategory = { code: string; name: string; rooms: number; status: string };

/** The categories of a property in the order in which people want to see them. */
export async function listPropertyCategories(database: Database, code: string): Promise<PropertyCategory[]> {
  return database.read
    .selectFrom("category")
    .select(["code", "name", "rooms", "status"])
    .where("property", "=", code)
    .orderBy("sort_order")
    .orderBy("sort_name")
    .orderBy("code")
    .execute();
}

/** Stores a new property; undefined when its code is taken. */
export async function createProperty(
  database: Database,
  fields: { code: string } & PropertyFields,
  change: Change,
): Promise<Property | undefined> {
  try {
    return await properties.create(database, fields, change);
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

/** Stores an edit; undefined when there is no such property. */
export function updateProperty(
  database: Database,
  edit: Edit<Pick<Property, "code">, PropertyFields>,
  change: Change,
): Promise<Update<Property> | undefined> {
  return properties.update(database, edit, change);
}

/** When the channel last had something for a property. */
export type Activity = {
  lastMessageAt: number;
  /** For counts. */
  lastCompleteSetAt: number | undefined;
  lastRatePlanSetAt: number | undefined;
};

/** The activity of a property; undefined before the first message. */
export async function findActivity(database: Database, code: string): Promise<Activity | undefined> {
  const row = await database.read.selectFrom("property_activity").selectAll().where("property", "=", code).executeTakeFirst();
  return (
    row && {
      lastMessageAt: row.last_message_at,
      lastCompleteSetAt: row.last_complete_set_at ?? undefined,
      lastRatePlanSetAt: row.last_rate_plan_set_at ?? undefined,
    }
  );
}

/** How the audit names a property. */
export function propertySubject(code: string): string {
  return `property:${code}`;
}

const properties = recordStore<Pick<Property, "code">, PropertyFields>({
  subjectOf: ({ code }) => propertySubject(code),
  formOf: (property) => typedFields(property, PROPERTY_FIELDS),
  find: (db, { code }) => findIn(db, code),
  async insert(db, property) {
    await db
      .insertInto("property")
      .values(sorted(toRow(property)))
      .execute();
  },
  async replace(db, property, version) {
    const update = db
      .updateTable("property")
      .set(sorted(toRow(property)))
      .where("code", "=", property.code);
    return (await update.where("version", "=", version).executeTakeFirst()).numUpdatedRows > 0n;
  },
  searchStatements: (property) => propertySearchStatements(toRow(property)),
});

async function findIn(db: Kysely<Tables>, code: string): Promise<Property | undefined> {
  const row = await db.selectFrom("property").selectAll().where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}
