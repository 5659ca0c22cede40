import type { Kysely } from "kysely";
import type { Database } from "../../db/database.ts";
import { isDuplicate, isMissingReference } from "../../db/faults.ts";
import { prepareStatement } from "../../db/prepared.ts";
import { rowsOf } from "../../db/rows.ts";
import type { CategoryRow, Tables } from "../../db/schema.ts";
import { normalCode } from "../../text.ts";
import { changesBetween, type RecordChange } from "../audit.ts";
import { isPropertyCode } from "../property/property.ts";
import { type ChangeAuthor, type RecordUpdate, recordStore, type UpdateResult } from "../record-store.ts";
import { categorySearchRow, writeSearchTexts } from "../search.ts";
import { withSortName } from "../sort-name.ts";
import { CATEGORY_FIELDS, CATEGORY_FLAGS, type Category, type CategoryFields, isCategoryCode } from "./category.ts";

export async function findCategory(database: Database, hotelCode: string, code: string): Promise<Category | undefined> {
  const normalizedCode = normalCode(code);
  if (!isPropertyCode(hotelCode) || !isCategoryCode(normalizedCode)) return undefined;
  return findCategoryRow(database.read, hotelCode, normalizedCode);
}

/** The fields needed by grids. Reading full records would take as long as reading the nights. */
export type CategoryBrief = Pick<Category, "code" | "name" | "status" | "rooms" | "standardOccupancy">;

export async function listCategoryBriefs({ read }: Database, hotelCode: string): Promise<CategoryBrief[]> {
  return isPropertyCode(hotelCode) ? briefsQuery(read, { hotelCode }) : [];
}

const briefsQuery = prepareStatement((db, { hotelCode }: { hotelCode: string }) =>
  db
    .selectFrom("category")
    .select(["code", "name", "status", "rooms", "standard_occupancy as standardOccupancy"])
    .where("property", "=", hotelCode)
    .orderBy("sort_order")
    .orderBy("sort_name")
    .orderBy("code"),
);

export async function createCategory(
  database: Database,
  fields: CategoryKey & CategoryFields,
  change: ChangeAuthor,
): Promise<"created" | "duplicate" | "no property"> {
  try {
    await categoryRecords.create(database, fields, change);
    return "created";
  } catch (error) {
    if (isDuplicate(error)) return "duplicate";
    if (isMissingReference(error)) return "no property";
    throw error;
  }
}

export function updateCategory(
  database: Database,
  edit: RecordUpdate<CategoryKey, CategoryFields>,
  change: ChangeAuthor,
): Promise<UpdateResult<Category> | undefined> {
  return categoryRecords.update(database, edit, change);
}

export async function findLastInventoryUpdate(database: Database, { hotelCode, code }: Category): Promise<number | undefined> {
  const row = await database.read
    .selectFrom("inventory_page")
    .select(({ fn }) => fn.max<number | null>("updated_at").as("at"))
    .where("property", "=", hotelCode)
    .where("category", "=", code)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

export type CategoryKey = Pick<Category, "hotelCode" | "code">;

export function categorySubject({ hotelCode, code }: CategoryKey): string {
  return `category:${hotelCode}/${code}`;
}

/** Returns the history entry for a category stored by a message. `before` is undefined if the message created it. */
export function categoryChange(before: CategoryRow | undefined, row: CategoryRow): RecordChange {
  const changes = changesBetween(before && fromRow(before), fromRow(row), CATEGORY_FIELDS);
  return { action: before ? "update" : "create", subject: categorySubject(fromRow(row)), changes };
}

const categoryRecords = recordStore<CategoryKey, CategoryFields>({
  propertyOf: ({ hotelCode }) => hotelCode,
  partOf: ({ code }) => ({ category: code }),
  subjectOf: categorySubject,
  fields: CATEGORY_FIELDS,
  find: (db, { hotelCode, code }) => findCategoryRow(db, hotelCode, code),
  async insert(db, category) {
    await db
      .insertInto("category")
      .values(withSortName(toRow(category)))
      .execute();
  },
  async replace(db, category) {
    const update = db.updateTable("category").set(withSortName(toRow(category)));
    await update.where("property", "=", category.hotelCode).where("code", "=", category.code).execute();
  },
  searchStatements: (category) => writeSearchTexts([categorySearchRow(toRow(category))]),
});

async function findCategoryRow(db: Kysely<Tables>, hotelCode: string, code: string): Promise<Category | undefined> {
  const row = await db.selectFrom("category").selectAll().where("property", "=", hotelCode).where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}

const categoryRows = rowsOf<Omit<Category, "hotelCode">>(["code", ...CATEGORY_FIELDS, "version", "createdAt", "updatedAt"], CATEGORY_FLAGS);

export const CATEGORY_COLUMNS = ["property", ...categoryRows.columns, "sort_name"] as const;

export function toRow({ hotelCode, ...category }: Category): CategoryRow {
  return { property: hotelCode, ...categoryRows.toRow(category) };
}

export function fromRow({ property, ...row }: CategoryRow): Category {
  return { hotelCode: property, ...categoryRows.fromRow(row) };
}
