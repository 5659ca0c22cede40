import type { Kysely } from "kysely";
import type { Database } from "../../db/database.ts";
import { isDuplicate } from "../../db/faults.ts";
import type { CategoryRow, PropertyRow, RatePlanRow, Tables } from "../../db/schema.ts";
import { runStatements } from "../../db/statements.ts";
import { type By, createAudit } from "../audit.ts";
import { categorySubject } from "../category/store.ts";
import { outboxStatements } from "../outbox.ts";
import { planSubject } from "../plan/store.ts";
import { categorySearchRow, planSearchRow, propertySearchRow, writeSearchTexts } from "../search.ts";
import { withSortName } from "../sort-name.ts";
import { propertySubject } from "./store.ts";

export type DuplicateCounts = { categories: number; plans: number };

type PropertyCopy = { from: string; code: string; name: string };

/**
 * Creates a property with the details, categories and rate plans of another one. Nights, history and connections are not copied. Returns
 * undefined if the original property does not exist.
 */
export async function duplicateProperty(
  database: Database,
  copy: PropertyCopy,
  by: By,
): Promise<DuplicateCounts | "duplicate" | undefined> {
  try {
    return await database.edit(copy.code, (db) => insertCopy(db, copy, by));
  } catch (error) {
    if (isDuplicate(error)) return "duplicate";
    throw error;
  }
}

async function insertCopy(db: Kysely<Tables>, { from, code, name }: PropertyCopy, by: By): Promise<DuplicateCounts | undefined> {
  const source = await db.selectFrom("property").selectAll().where("code", "=", from).executeTakeFirst();
  if (!source) return undefined;
  const { at } = by;
  const newRowColumns = { version: 1, created_at: at, updated_at: at };
  const property: PropertyRow = {
    ...source,
    code,
    name,
    status: source.status === "archived" ? "inactive" : source.status,
    ...newRowColumns,
  };
  await db.insertInto("property").values(withSortName(property)).execute();
  const categories = (await db.selectFrom("category").selectAll().where("property", "=", from).execute()).map((row): CategoryRow => ({
    ...row,
    property: code,
    ...newRowColumns,
  }));
  for (const row of categories) await db.insertInto("category").values(withSortName(row)).execute();
  const plans = (await db.selectFrom("rate_plan").selectAll().where("property", "=", from).where("status", "<>", "removed").execute()).map(
    (row): RatePlanRow => ({ ...row, property: code, sender: null, version: 1, first_seen_at: at, last_seen_at: at, updated_at: at }),
  );
  for (const row of plans) await db.insertInto("rate_plan").values(row).execute();
  await runStatements(
    db,
    writeSearchTexts([propertySearchRow(property), ...categories.map(categorySearchRow), ...plans.map(planSearchRow)]),
  );
  await recordCopy(db, { from, code, categories, plans }, by);
  return { categories: categories.length, plans: plans.length };
}

type CopiedRecords = { from: string; code: string; categories: readonly CategoryRow[]; plans: readonly RatePlanRow[] };

async function recordCopy(db: Kysely<Tables>, { from, code, categories, plans }: CopiedRecords, by: By): Promise<void> {
  const create = (subject: string, original: string) =>
    createAudit(db, { ...by, action: "create", subject, changes: [{ field: "copy of", from: "", to: original }] });
  await create(propertySubject(code), from);
  for (const { code: own } of categories) await create(categorySubject({ hotelCode: code, code: own }), `${from}/${own}`);
  for (const { code: own } of plans) await create(planSubject({ property: code, code: own }), `${from}/${own}`);
  const { at } = by;
  const entry = { kind: "record", property: code, at } as const;
  const entries = [
    entry,
    ...categories.map((row) => ({ ...entry, category: row.code })),
    ...plans.map((row) => ({ ...entry, plan: row.code })),
  ];
  await runStatements(db, outboxStatements(entries));
}
