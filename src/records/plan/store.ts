import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../db/database.ts";
import { isDuplicate, isMissingReference } from "../../db/faults.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { RatePlanRow, Tables } from "../../db/schema.ts";
import { type ChangeAuthor, type RecordUpdate, recordStore, type UpdateResult } from "../record-store.ts";
import { planSearchRow, writeSearchTexts } from "../search.ts";
import { isPlanCode, type Plan, PLAN_FIELDS, type PlanFields, type PlanKey } from "./plan.ts";

export function planSubject({ property, code }: PlanKey): string {
  return `plan:${property}/${code}`;
}

export async function findPlan({ read }: Database, key: PlanKey): Promise<Plan | undefined> {
  return isPlanCode(key.code) ? findPlanRow(read, key) : undefined;
}

/** Returns the codes of the property's rate plans that are retired or removed, and therefore not for sale. */
export async function listRetiredPlans({ read }: Database, property: string): Promise<ReadonlySet<string>> {
  const rows = await retiredQuery(read, { property });
  return new Set(rows.map(({ code }) => code));
}

const retiredQuery = prepareStatement((db, { property }: { property: string }) =>
  db.selectFrom("rate_plan").select("code").where("property", "=", property).where("status", "<>", "active"),
);

/** `sender` is the plan's first sender; undefined if an anonymous sender or a user created it. */
export type ListedPlan = Plan & { sender: string | undefined; lastSeenAt: number };

export async function listPlans({ read }: Database, property: string): Promise<ListedPlan[]> {
  const rows = await read.selectFrom("rate_plan").selectAll().where("property", "=", property).orderBy("code").execute();
  return rows.map((row) => ({ ...fromRow(row), sender: row.sender ?? undefined, lastSeenAt: row.last_seen_at }));
}

export async function createPlan(
  database: Database,
  fields: PlanKey & PlanFields,
  change: ChangeAuthor,
): Promise<"created" | "duplicate" | "no property"> {
  try {
    await planRecords.create(database, fields, change);
    return "created";
  } catch (error) {
    if (isDuplicate(error)) return "duplicate";
    if (isMissingReference(error)) return "no property";
    throw error;
  }
}

export function updatePlan(
  database: Database,
  edit: RecordUpdate<PlanKey, PlanFields>,
  change: ChangeAuthor,
): Promise<UpdateResult<Plan> | undefined> {
  return planRecords.update(database, edit, change);
}

const planRecords = recordStore<PlanKey, PlanFields>({
  propertyOf: ({ property }) => property,
  partOf: ({ code }) => ({ plan: code }),
  subjectOf: planSubject,
  fields: PLAN_FIELDS,
  find: findPlanRow,
  async insert(db, plan) {
    await db.insertInto("rate_plan").values(toNewRow(plan)).execute();
  },
  async replace(db, plan) {
    const { property, code } = plan;
    const changedRow = { ...planColumns(plan), version: plan.version, updated_at: plan.updatedAt };
    await db.updateTable("rate_plan").set(changedRow).where("property", "=", property).where("code", "=", code).execute();
  },
  searchStatements: (plan) => writeSearchTexts([planSearchRow({ ...plan, name: plan.name ?? null })]),
});

async function findPlanRow(db: Kysely<Tables>, { property, code }: PlanKey): Promise<Plan | undefined> {
  const row = await db.selectFrom("rate_plan").selectAll().where("property", "=", property).where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}

export function fromRow(row: Selectable<RatePlanRow>): Plan {
  return {
    property: row.property,
    code: row.code,
    name: row.name ?? undefined,
    mealPlan: row.meal_plan ?? undefined,
    currency: row.currency ?? undefined,
    parentNote: row.parent_note ?? undefined,
    status: row.status,
    version: row.version,
    createdAt: row.first_seen_at,
    updatedAt: row.updated_at ?? row.first_seen_at,
  };
}

function planColumns({ name, mealPlan, currency, parentNote, status }: PlanFields) {
  const textColumns = { name: name ?? null, meal_plan: mealPlan ?? null, currency: currency ?? null, parent_note: parentNote ?? null };
  return { ...textColumns, status };
}

export function toNewRow(plan: Plan): RatePlanRow {
  const { property, code, version, createdAt, updatedAt } = plan;
  return {
    ...{ property, code, ...planColumns(plan), version, updated_at: updatedAt },
    ...{ price_basis: null, taxes: null, details: null, sender: null, first_seen_at: createdAt, last_seen_at: createdAt },
  };
}
