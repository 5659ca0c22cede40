import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { countRows, countUpTo, type Count } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import { isDuplicate, isMissingReference } from "../../db/faults.ts";
import { type Change, type Edit, recordStore, type Update } from "../../db/record-store.ts";
import type { Tables } from "../../db/schema.ts";
import { categorySearchStatements, categoryTexts, type Candidates, findRarest, keysOf, matches, wordsOf } from "../../db/search.ts";
import { sorted } from "../../db/sort-name.ts";
import type { ListQuery } from "../../web/parts/list.ts";
import { typedFields } from "../../web/rules.ts";
import { isCode } from "../property/property.ts";
import { CATEGORY_FIELDS, type Category, type CategoryFields } from "./category.ts";
import { fromRow, toRow } from "./row.ts";

/** The category with this code in this property; undefined when there is none. */
export async function findCategory(database: Database, hotelCode: string, code: string): Promise<Category | undefined> {
  if (!isCode(hotelCode) || !isCode(code)) return undefined;
  return findIn(database.read, hotelCode, code);
}

/** The categories of a property in the order in which people want to see them. */
export async function categoriesOf(database: Database, hotelCode: string): Promise<Category[]> {
  if (!isCode(hotelCode)) return [];
  const all = database.read.selectFrom("category").selectAll().where("property", "=", hotelCode);
  const rows = await all.orderBy("sort_order").orderBy("sort_name").orderBy("code").execute();
  return rows.map(fromRow);
}

/** The columns that the list can be sorted by; each has an index. */
export const CATEGORY_SORTS = ["hotelCode", "name"] as const;

/** Which categories to list; `hotelCode` is empty for those of all properties, `status` absent for those of any. */
export type CategoryQuery = ListQuery & { hotelCode: string; status?: string | undefined };

/** One page of the categories, all or those in which each word of `q` begins a word, and how many there are. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<{ lines: Category[]; count: Count }> {
  if (query.hotelCode !== "") return listOfProperty(database, query);
  if (query.q !== "") return searchCategories(database, query);
  const rows = await inOrder(listed(database, query), query)
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { lines: rows.map(fromRow), count: await countListed(database, query) };
}

function listed({ read }: Database, { status }: CategoryQuery): Rows {
  const all = read.selectFrom("category").selectAll();
  return status === undefined ? all : all.where("status", "=", status);
}

function countListed(database: Database, query: CategoryQuery): Promise<Count> {
  if (query.status === undefined) return countUpTo(database, "category");
  return countRows(database, listed(database, query).clearSelect().select("code as key"));
}

/** A property has few enough categories to look at each. */
async function listOfProperty(database: Database, query: CategoryQuery): Promise<{ lines: Category[]; count: Count }> {
  if (!isCode(query.hotelCode)) return { lines: [], count: { total: 0, exact: true } };
  const wanted = wordsOf([query.q]);
  const rows = await inOrder(listed(database, query).where("property", "=", query.hotelCode), query).execute();
  const found = query.q === "" ? rows : rows.filter((row) => wanted.length > 0 && matches(wanted, categoryTexts(row)));
  return { lines: pageOf(found, query).map(fromRow), count: { total: found.length, exact: true } };
}

/** When the count is not exact, only the first of those that match were looked at. */
async function searchCategories(database: Database, query: CategoryQuery): Promise<{ lines: Category[]; count: Count }> {
  const wanted = wordsOf([query.q]);
  const candidates = await findRarest(database, "category", wanted);
  if (!candidates) return { lines: [], count: { total: 0, exact: true } };
  const found = (await selectTexts(database, candidates, query)).filter((row) => matches(wanted, categoryTexts(row)));
  const keys = pageOf(found, query);
  if (keys.length === 0) return { lines: [], count: { total: found.length, exact: candidates.all } };
  const all = database.read.selectFrom("category").selectAll();
  const rows = await inOrder(
    all.where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("property", "code"),
        "in",
        keys.map((key) => tuple(key.property, key.code)),
      ),
    ),
    query,
  ).execute();
  return { lines: rows.map(fromRow), count: { total: found.length, exact: candidates.all } };
}

function selectTexts(database: Database, candidates: Candidates, { sort, direction, status }: CategoryQuery) {
  const texts = database.read
    .selectFrom(keysOf(database.read, candidates).as("k"))
    .innerJoin("category as c", (join) => join.onRef("c.property", "=", "k.property").onRef("c.code", "=", "k.code"))
    .select(["c.property", "c.code", "c.name", "c.kind"]);
  const found = status === undefined ? texts : texts.where("c.status", "=", status);
  return (sort === "name" ? found.orderBy("c.sort_name", direction) : found)
    .orderBy("c.property", direction)
    .orderBy("c.code", direction)
    .execute();
}

type Rows = SelectQueryBuilder<Tables, "category", Tables["category"]>;

function inOrder(rows: Rows, { sort, direction }: ListQuery): Rows {
  const named = sort === "name" ? rows.orderBy("sort_name", direction) : rows;
  return named.orderBy("property", direction).orderBy("code", direction);
}

function pageOf<T>(rows: readonly T[], { page, size }: ListQuery): T[] {
  return rows.slice((page - 1) * size, page * size);
}

/** Every category that a query lists, in its order and in batches. */
export async function* everyCategory(database: Database, query: CategoryQuery): AsyncGenerator<readonly Category[]> {
  if (query.hotelCode !== "" || query.q !== "") {
    yield (await listCategories(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER })).lines;
    return;
  }
  const all = inOrder(listed(database, query), query).limit(READ_AT_ONCE);
  for (let rows = await all.execute(); rows.length > 0; rows = await all.where(isBehind(rows.at(-1)!, query)).execute()) {
    yield rows.map(fromRow);
  }
}

const READ_AT_ONCE = 250;

/** Whether a category stands behind another in the order of a query. */
function isBehind({ sort_name, property, code }: Tables["category"], { sort, direction }: ListQuery) {
  const than = sql.raw(direction === "asc" ? ">" : "<");
  return sort === "name"
    ? sql<boolean>`(sort_name, property, code) ${than} (${sort_name}, ${property}, ${code})`
    : sql<boolean>`(property, code) ${than} (${property}, ${code})`;
}

/** Stores a new category, or says why not. */
export async function createCategory(
  database: Database,
  fields: CategoryKey & CategoryFields,
  change: Change,
): Promise<"created" | "duplicate" | "no property"> {
  try {
    await categories.create(database, fields, change);
    return "created";
  } catch (error) {
    if (isDuplicate(error)) return "duplicate";
    if (isMissingReference(error)) return "no property";
    throw error;
  }
}

/** Stores an edit; undefined when there is no such category. */
export function updateCategory(
  database: Database,
  edit: Edit<CategoryKey, CategoryFields>,
  change: Change,
): Promise<Update<Category> | undefined> {
  return categories.update(database, edit, change);
}

/** When the channel last changed the counts of a category; undefined when it never did. */
export async function findLastInventoryUpdate(database: Database, { hotelCode, code }: Category): Promise<number | undefined> {
  const row = await database.read
    .selectFrom("inventory_page")
    .select(({ fn }) => fn.max<number | null>("updated_at").as("at"))
    .where("property", "=", hotelCode)
    .where("category", "=", code)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

type CategoryKey = Pick<Category, "hotelCode" | "code">;

/** How the audit names a category. */
export function categorySubject({ hotelCode, code }: CategoryKey): string {
  return `category:${hotelCode}/${code}`;
}

const categories = recordStore<CategoryKey, CategoryFields>({
  subjectOf: categorySubject,
  formOf: (category) => typedFields(category, CATEGORY_FIELDS),
  find: (db, { hotelCode, code }) => findIn(db, hotelCode, code),
  async insert(db, category) {
    await db
      .insertInto("category")
      .values(sorted(toRow(category)))
      .execute();
  },
  async replace(db, category, version) {
    const { hotelCode, code } = category;
    const update = db
      .updateTable("category")
      .set(sorted(toRow(category)))
      .where("property", "=", hotelCode)
      .where("code", "=", code);
    return (await update.where("version", "=", version).executeTakeFirst()).numUpdatedRows > 0n;
  },
  searchStatements: (category) => categorySearchStatements(toRow(category)),
});

async function findIn(db: Kysely<Tables>, hotelCode: string, code: string): Promise<Category | undefined> {
  const row = await db.selectFrom("category").selectAll().where("property", "=", hotelCode).where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}
