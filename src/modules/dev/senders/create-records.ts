import type { ZodType } from "zod";
import type { Database } from "../../../db/database.ts";
import type { By } from "../../../records/audit.ts";
import { type CategoryFields, newCategoryForm } from "../../../records/category/category.ts";
import { type CategoryKey, createCategory, fromRow as toCategory } from "../../../records/category/store.ts";
import { newPlanForm, type PlanFields, type PlanKey } from "../../../records/plan/plan.ts";
import { createPlan } from "../../../records/plan/store.ts";
import { newPropertyForm, type PropertyFields } from "../../../records/property/property.ts";
import { createProperty, fromRow as toProperty } from "../../../records/property/store.ts";
import { type TypedValues, toTypedValues } from "../../../web/form.ts";
import type { CodeKind } from "../../channel/senders/code-store.ts";
import { widenScope } from "../../channel/senders/edit-store.ts";
import type { ProposedCategory, ProposedPlan, PropertyProposal } from "../../channel/senders/proposals.ts";

/** The code to create; every code if `kind` is undefined. A property includes its categories and rate plans. */
export type ProposalChoice = { kind: CodeKind | undefined; property: string; code: string };

export function chooseProposals(proposals: readonly PropertyProposal[], { kind, property, code }: ProposalChoice): PropertyProposal[] {
  if (kind === undefined) return [...proposals];
  if (kind === "property") return proposals.filter((one) => one.property === code);
  return proposals
    .filter((one) => one.property === property)
    .map((one) => ({
      ...one,
      categories: kind === "category" ? one.categories.filter((category) => category.code === code) : [],
      plans: kind === "plan" ? one.plans.filter((plan) => plan.code === code) : [],
    }));
}

/** The records to create for a property. `impossible` lists the codes that no record can have. */
export type PlannedCreation = {
  property: string;
  /** Undefined if the property exists, or if no property can have the code. */
  fields: ({ code: string } & PropertyFields) | undefined;
  needsAccess: boolean;
  proposal: PropertyProposal;
  categories: readonly (CategoryKey & CategoryFields)[];
  plans: readonly (PlanKey & PlanFields)[];
  impossible: readonly string[];
};

export function toCreation(proposal: PropertyProposal): PlannedCreation {
  const { property, row, needsAccess } = proposal;
  const categories = proposal.categories.map((one) => ({ code: one.code, fields: toNewCategory(property, one) }));
  const plans = proposal.plans.map((one) => ({ code: one.code, fields: toNewPlan(property, one) }));
  const newProperty = row && readProposed(newPropertyForm, toTypedValues(toProperty(row)));
  const isPossible = row === undefined || newProperty !== undefined;
  return {
    ...{ property, proposal, needsAccess, fields: newProperty },
    categories: isPossible ? categories.flatMap(({ fields }) => fields ?? []) : [],
    plans: isPossible ? plans.flatMap(({ fields }) => fields ?? []) : [],
    impossible: isPossible ? [...categories, ...plans].flatMap(({ code, fields }) => (fields === undefined ? [code] : [])) : [property],
  };
}

/** Returns the category to create, or undefined if its code is invalid. */
function toNewCategory(hotelCode: string, { code, row, rooms, guests }: ProposedCategory): (CategoryKey & CategoryFields) | undefined {
  if (row !== undefined) return readProposed(newCategoryForm, toTypedValues({ ...toCategory(row), hotelCode }));
  const standardOccupancy = String(Math.min(guests ?? 2, 2));
  const typed = { hotelCode, code, name: code, rooms: String(rooms ?? 0), standardOccupancy, maxOccupancy: String(guests ?? "") };
  return readProposed(newCategoryForm, typed);
}

function toNewPlan(property: string, plan: ProposedPlan): (PlanKey & PlanFields) | undefined {
  const fields = readProposed(newPlanForm, toTypedValues(plan));
  return fields && { ...fields, property };
}

/**
 * Applies the rules of a form. Replaces an invalid name with the code and omits other invalid values. Returns undefined if the code is
 * invalid.
 */
function readProposed<Fields>(form: ZodType<Fields>, typed: TypedValues): Fields | undefined {
  const parsedForm = form.safeParse(typed);
  if (parsedForm.success) return parsedForm.data;
  const invalidFields = new Set(parsedForm.error.issues.map(({ path }) => path[0]));
  const validFields = Object.fromEntries(
    Object.entries(typed).filter(([field]) => ["code", "hotelCode"].includes(field) || !invalidFields.has(field)),
  );
  return form.safeParse(invalidFields.has("name") ? { ...validFields, name: typed["code"] } : validFields).data;
}

type CreateRequest = { creations: readonly PlannedCreation[]; sender: string; timeZone: string };

export type CreatedCounts = { properties: number; categories: number; plans: number };

/** Creates the records one at a time. Records that were created since the preview are not changed. */
export async function createRecords(database: Database, { creations, sender, timeZone }: CreateRequest, by: By): Promise<CreatedCounts> {
  const createdCounts: CreatedCounts = { properties: 0, categories: 0, plans: 0 };
  for (const { property, fields, needsAccess, categories, plans, impossible } of creations) {
    if (impossible.includes(property)) continue;
    if (fields && (await createProperty(database, { ...fields, timeZone }, by))) createdCounts.properties++;
    if (needsAccess) await widenScope(database, { name: sender, hotels: [property] }, by);
    for (const category of categories) if ((await createCategory(database, category, by)) === "created") createdCounts.categories++;
    for (const plan of plans) if ((await createPlan(database, plan, by)) === "created") createdCounts.plans++;
  }
  return createdCounts;
}
