import type { Database, Row } from "../db/database.ts";
import type { Directory, Work } from "./work.ts";
import { PLAN_COLUMNS_BUT_DETAILS } from "./writing.ts";

/** What is known of a property now, in the form in which a message gets it, read again, under the lock. */
export async function readDirectory({ read }: Database, property: string, { planDetails }: Pick<Work, "planDetails">): Promise<Directory> {
  const ratePlans = read.selectFrom("rate_plan").where("property", "=", property);
  const [own, categories, plans, details, activity] = await Promise.all([
    read.selectFrom("property").selectAll().where("code", "=", property).executeTakeFirst(),
    read.selectFrom("category").selectAll().where("property", "=", property).execute(),
    ratePlans.select(PLAN_COLUMNS_BUT_DETAILS).execute(),
    planDetails ? ratePlans.select(["code", "details"]).execute() : undefined,
    read.selectFrom("property_activity").selectAll().where("property", "=", property).executeTakeFirst(),
  ]);
  return {
    property: own,
    categories: byCode(categories),
    plans: withDetails(byCode(plans), details),
    completeSets: { counts: activity?.last_complete_set_at ?? undefined, "rate plans": activity?.last_rate_plan_set_at ?? undefined },
  };
}

/** The map of each list of rows: an engine hands out the same list as long as the records do not change. */
const maps = new WeakMap<readonly Coded[], Map<string, Coded>>();
type Coded = { code: string };

export function byCode<T extends Coded>(rows: readonly T[] = NONE): ReadonlyMap<string, T> {
  return maps.getOrInsertComputed(rows, mapOf) as Map<string, T>;
}

function mapOf(rows: readonly Coded[]): Map<string, Coded> {
  return new Map(rows.map((row) => [row.code, row]));
}

const NONE: readonly never[] = [];

export function withDetails(plans: Directory["plans"], details: readonly Row[] | undefined): Directory["plans"] {
  if (!details) return plans;
  const texts = new Map(details.map((row) => [row.code as string, row.details as string | null]));
  return new Map(plans.entries().map(([code, plan]) => [code, { ...plan, details: texts.get(code) ?? null }]));
}
