import type { Kysely, SelectQueryBuilder } from "kysely";
import { compareText } from "../../calendar/compare-text.ts";
import { changesBetween, createAudit } from "../../db/audit.ts";
import { countUpTo, type Count } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import { isDuplicate, isMissingReference } from "../../db/faults.ts";
import type { CategoryRow, Tables } from "../../db/schema.ts";
import {
  categorySearchStatements,
  categoryTexts,
  type Candidates,
  findRarest,
  keysOf,
  matches,
  runStatements,
  wordsOf,
} from "../../db/search.ts";
import type { ListQuery } from "../../web/parts/list.ts";
import { typedOf } from "../../web/rules.ts";
import { isCode } from "../property/property.ts";
import type { Change } from "../property/store.ts";
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
  const rows = await database.read.selectFrom("category").selectAll().where("property", "=", hotelCode).execute();
  return rows.map(fromRow).toSorted((a, b) => a.sortOrder - b.sortOrder || compareText(a.name, b.name) || compareText(a.code, b.code));
}

/** The columns that the list can be sorted by; each has an index. */
export const CATEGORY_SORTS = ["hotelCode", "name"] as const;

/** Which categories to list; `hotelCode` is empty for those of all properties. */
export type CategoryQuery = ListQuery & { hotelCode: string };

/** One page of the categories, all or those in which each word of `q` begins a word, and how many there are. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<{ lines: Category[]; count: Count }> {
  if (query.hotelCode !== "") return listOfProperty(database, query);
  if (query.q !== "") return searchCategories(database, query);
  const rows = await inOrder(database.read.selectFrom("category").selectAll(), query)
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { lines: rows.map(fromRow), count: await countUpTo(database, "category") };
}

/** A property has few enough categories to look at each. */
async function listOfProperty(database: Database, query: CategoryQuery): Promise<{ lines: Category[]; count: Count }> {
  if (!isCode(query.hotelCode)) return { lines: [], count: { total: 0, exact: true } };
  const wanted = wordsOf([query.q]);
  const rows = await inOrder(database.read.selectFrom("category").selectAll().where("property", "=", query.hotelCode), query).execute();
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

function selectTexts(database: Database, candidates: Candidates, { sort, direction }: ListQuery) {
  const texts = database.read
    .selectFrom(keysOf(database.read, candidates).as("k"))
    .innerJoin("category as c", (join) => join.onRef("c.property", "=", "k.property").onRef("c.code", "=", "k.code"))
    .select(["c.property", "c.code", "c.name", "c.kind"]);
  return (sort === "name" ? texts.orderBy("c.name", direction) : texts)
    .orderBy("c.property", direction)
    .orderBy("c.code", direction)
    .execute();
}

type Rows = SelectQueryBuilder<Tables, "category", CategoryRow>;

function inOrder(rows: Rows, { sort, direction }: ListQuery): Rows {
  return (sort === "name" ? rows.orderBy("name", direction) : rows).orderBy("property", direction).orderBy("code", direction);
}

function pageOf<T>(rows: readonly T[], { page, size }: ListQuery): T[] {
  return rows.slice((page - 1) * size, page * size);
}

/** Every category that a query lists, whatever the page. */
export async function allCategories(database: Database, query: CategoryQuery): Promise<Category[]> {
  const { lines } = await listCategories(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER });
  return lines;
}

/** What became of a new category. */
export type Creation = { outcome: "created"; category: Category } | { outcome: "duplicate" | "no property" };

/** Stores a new category. */
export async function createCategory(
  database: Database,
  fields: { hotelCode: string; code: string } & CategoryFields,
  { actor, at }: Change,
): Promise<Creation> {
  const category = { ...fields, version: 1, createdAt: at, updatedAt: at };
  const row = toRow(category);
  try {
    await database.write.transaction().execute(async (db) => {
      await db.insertInto("category").values(row).execute();
      await runStatements(db, categorySearchStatements(row));
      await createAudit(db, {
        at,
        actor,
        action: "create",
        subject: categorySubject(category),
        changes: changesBetween({}, formOf(category)),
      });
    });
    return { outcome: "created", category };
  } catch (error) {
    if (isDuplicate(error)) return { outcome: "duplicate" };
    if (isMissingReference(error)) return { outcome: "no property" };
    throw error;
  }
}

/** What became of an edit. `stored` is the category as it is now; a conflict stored nothing. */
export type CategoryUpdate = { outcome: "updated" | "unchanged" | "conflict"; stored: Category };

type Edit = { hotelCode: string; code: string; version: number; fields: CategoryFields };

/** Stores an edit that was begun at `version`; undefined when there is no such category. */
export async function updateCategory(database: Database, edit: Edit, { actor, at }: Change): Promise<CategoryUpdate | undefined> {
  return database.write.transaction().execute(async (db) => {
    const before = await findIn(db, edit.hotelCode, edit.code);
    if (!before) return undefined;
    if (before.version !== edit.version) return { outcome: "conflict", stored: before };
    const category = { ...before, ...edit.fields, version: before.version + 1, updatedAt: Math.max(at, before.updatedAt) };
    const changes = changesBetween(formOf(before), formOf(category));
    if (changes.length === 0) return { outcome: "unchanged", stored: before };
    if (!(await replace(db, toRow(category), before.version)))
      return { outcome: "conflict", stored: (await findIn(db, edit.hotelCode, edit.code)) ?? before };
    await createAudit(db, { at, actor, action: "update", subject: categorySubject(category), changes });
    return { outcome: "updated", stored: category };
  });
}

/** False when somebody else was faster. */
async function replace(db: Kysely<Tables>, row: CategoryRow, version: number): Promise<boolean> {
  const written = await db
    .updateTable("category")
    .set(row)
    .where("property", "=", row.property)
    .where("code", "=", row.code)
    .where("version", "=", version)
    .executeTakeFirst();
  if (written.numUpdatedRows === 0n) return false;
  await runStatements(db, categorySearchStatements(row));
  return true;
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

/** How the audit names a category. */
export function categorySubject({ hotelCode, code }: Pick<Category, "hotelCode" | "code">): string {
  return `category:${hotelCode}/${code}`;
}

/** The editable fields as text, to tell what an edit changed. */
function formOf(category: Category): Readonly<Record<string, string>> {
  const typed = typedOf(category);
  return Object.fromEntries(CATEGORY_FIELDS.map((name) => [name, typed[name] ?? ""]));
}

async function findIn(db: Kysely<Tables>, hotelCode: string, code: string): Promise<Category | undefined> {
  const row = await db.selectFrom("category").selectAll().where("property", "=", hotelCode).where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}
