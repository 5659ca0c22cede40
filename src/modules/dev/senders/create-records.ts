import type { Database } from "../../../db/database.ts";
import type { By } from "../../../records/audit.ts";
import { type CategoryFields, newCategoryForm } from "../../../records/category/category.ts";
import { type CategoryKey, createCategory, fromRow as toCategory } from "../../../records/category/store.ts";
import { newPlanForm } from "../../../records/plan/plan.ts";
import { createPlan } from "../../../records/plan/store.ts";
import { isCode } from "../../../records/property/property.ts";
import { createProperty, fromRow as toProperty } from "../../../records/property/store.ts";
import type { CodeKind } from "../../channel/senders/code-store.ts";
import { widenScope } from "../../channel/senders/edit-store.ts";
import type { ProposedCategory, ProposedPlan, Proposal } from "../../channel/senders/proposals.ts";

/** The code to create; every code if `kind` is undefined. A property includes its categories and rate plans. */
export type Chosen = { kind: CodeKind | undefined; property: string; code: string };

export function chooseProposals(proposals: readonly Proposal[], { kind, property, code }: Chosen): Proposal[] {
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
export type Creation = {
  property: string;
  name: string | undefined;
  currency: string | undefined;
  needsAccess: boolean;
  proposal: Proposal;
  categories: readonly (CategoryKey & CategoryFields)[];
  plans: readonly ReturnType<typeof planOf>[];
  impossible: readonly string[];
};

export function creationOf(proposal: Proposal): Creation {
  const { property, row, needsAccess } = proposal;
  const categories = proposal.categories.map((one) => ({ code: one.code, fields: categoryOf(property, one) }));
  const isPossible = row === undefined || isCode(property);
  return {
    ...{ property, proposal, needsAccess, name: row?.name, currency: row?.currency },
    categories: isPossible ? categories.flatMap(({ fields }) => fields ?? []) : [],
    plans: isPossible ? proposal.plans.map((plan) => planOf(property, plan)) : [],
    impossible: [...(isPossible ? [] : [property]), ...categories.flatMap(({ code, fields }) => (fields === undefined ? [code] : []))],
  };
}

/** Returns undefined if the code can't be used for a category. */
function categoryOf(hotelCode: string, { code, row, rooms, guests }: ProposedCategory): (CategoryKey & CategoryFields) | undefined {
  if (row !== undefined) return { ...toCategory(row), hotelCode };
  const standardOccupancy = String(Math.min(guests ?? 2, 2));
  const typed = { hotelCode, code, name: code, rooms: String(rooms ?? 0), standardOccupancy, maxOccupancy: String(guests ?? "") };
  return newCategoryForm.safeParse(typed).data;
}

function planOf(property: string, { code, name, currency, mealPlan }: ProposedPlan) {
  const texts = Object.entries({ code, name, currency, mealPlan }).filter(([, value]) => value !== undefined);
  return { ...newPlanForm.parse(Object.fromEntries(texts)), property };
}

type CreateRequest = { creations: readonly Creation[]; sender: string; timeZone: string };

export type Created = { properties: number; categories: number; plans: number };

/** Creates the records one at a time. Records that were created since the preview are not changed. */
export async function createRecords(database: Database, { creations, sender, timeZone }: CreateRequest, by: By): Promise<Created> {
  const created: Created = { properties: 0, categories: 0, plans: 0 };
  for (const { property, proposal, needsAccess, categories, plans, impossible } of creations) {
    if (impossible.includes(property)) continue;
    if (proposal.row && (await createProperty(database, { ...toProperty(proposal.row), timeZone }, by))) created.properties++;
    if (needsAccess) await widenScope(database, { name: sender, hotels: [property] }, by);
    for (const category of categories) if ((await createCategory(database, category, by)) === "created") created.categories++;
    for (const plan of plans) if ((await createPlan(database, plan, by)) === "created") created.plans++;
  }
  return created;
}
