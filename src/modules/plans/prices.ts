import { isAmount } from "../../calendar/attributes.ts";
import type { LaneNights } from "../../calendar/lane.ts";
import { todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { findOrigins } from "../../journal/messages.ts";
import { readNights } from "../../journal/nights.ts";
import { listCategoryBriefs } from "../../records/category/store.ts";
import type { Property } from "../../records/property/property.ts";

/** `nights` counts the nights from today to the horizon with a price in any category. `last` is the last message that set such a price. */
export type PlanPrices = { nights: number; last: LastMessage | undefined };
export type LastMessage = { message: number; at: number; sender: string | undefined };

type PricesQuery = { property: Pick<Property, "code" | "timeZone" | "horizonDays">; now: number };

/** Returns the prices of each rate plan, by plan code. `now` is in milliseconds since 1970. */
export async function readPlanPrices(database: Database, { property, now }: PricesQuery): Promise<ReadonlyMap<string, PlanPrices>> {
  const pricedPlans = await readPriced(database, { property, now });
  const messages = await findOrigins(
    database,
    [...pricedPlans.values()].map(({ setter }) => setter),
  );
  return new Map(
    [...pricedPlans].map(([plan, { nights, setter }]) => {
      const message = messages.get(setter);
      return [plan, { nights: nights.size, last: message && { message: setter, ...message } }];
    }),
  );
}

/** Indexes of the nights with a price, and the newest message that set prices. */
type PricedNights = { nights: Set<number>; setter: number };

/** Reads one category at a time, so that other requests can be served in between. */
async function readPriced(database: Database, { property, now }: PricesQuery): Promise<Map<string, PricedNights>> {
  const first = todayIn(property.timeZone, now);
  const range = { property: property.code, first, last: first + property.horizonDays };
  const pricedByPlan = new Map<string, PricedNights>();
  for (const { code } of await listCategoryBriefs(database, property.code)) {
    for (const lane of await readNights(database, { ...range, categories: [code], kind: "rate", groups: ["amounts"] })) {
      const plan = pricedByPlan.getOrInsertComputed(lane.lane, () => ({ nights: new Set(), setter: 0 }));
      for (const night of pricedNights(lane)) plan.nights.add(night);
      plan.setter = lastSetter(lane, plan.setter);
    }
  }
  return pricedByPlan;
}

function pricedNights({ columns }: LaneNights): number[] {
  const amounts = [...columns].filter(([attribute]) => isAmount(attribute));
  return amounts.flatMap(([, values]) => values.flatMap((value, night) => (value === undefined ? [] : [night])));
}

function lastSetter({ setters }: LaneNights, atLeast: number): number {
  return (setters.get("amounts") ?? []).reduce((most: number, id) => Math.max(most, id ?? 0), atLeast);
}
