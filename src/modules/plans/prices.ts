import { isAmount } from "../../calendar/attributes.ts";
import type { LaneNights } from "../../calendar/lane.ts";
import { todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { findSenders } from "../../journal/messages.ts";
import { readNights } from "../../journal/nights.ts";
import type { Property } from "../../records/property/property.ts";

/** `nights`: how many nights from today to the horizon have a price in any category. `last` is the last message that set one of them. */
export type PlanPrices = { nights: number; last: LastMessage | undefined };
export type LastMessage = { message: number; at: number; sender: string | undefined };

type Needs = { property: Pick<Property, "code" | "timeZone" | "horizonDays">; now: number };

/** Returns the prices of each rate plan, by its code. `now` is in milliseconds since 1970. */
export async function readPlanPrices(database: Database, { property, now }: Needs): Promise<ReadonlyMap<string, PlanPrices>> {
  const first = todayIn(property.timeZone, now);
  const range = { property: property.code, first, last: first + property.horizonDays };
  const lanes = await readNights(database, { ...range, kind: "rate", groups: ["amounts"] });
  const byPlan = Map.groupBy(lanes, ({ lane }) => lane);
  const setters = new Map([...byPlan].map(([plan, own]) => [plan, lastSetter(own)]));
  const messages = await findSenders(
    database,
    [...setters.values()].filter((id) => id !== undefined),
  );
  return new Map(
    [...byPlan].map(([plan, own]) => {
      const id = setters.get(plan);
      const found = id === undefined ? undefined : messages.get(id);
      return [plan, { nights: countPriced(own), last: found && { message: id!, ...found } }];
    }),
  );
}

function countPriced(lanes: readonly LaneNights[]): number {
  const amounts = lanes.flatMap(({ columns }) => [...columns].filter(([attribute]) => isAmount(attribute)));
  const nights = amounts.flatMap(([, values]) => values.flatMap((value, night) => (value === undefined ? [] : [night])));
  return new Set(nights).size;
}

function lastSetter(lanes: readonly LaneNights[]): number | undefined {
  const ids = lanes.flatMap(({ setters }) => [...setters.values()].flat()).filter((id) => id !== undefined);
  return ids.length === 0 ? undefined : ids.reduce((most, id) => Math.max(most, id), 0);
}
