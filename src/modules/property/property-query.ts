import { DAY_MS } from "../../calendar/night.ts";
import { readTyped } from "../../web/form.ts";
import { readListQuery } from "../../web/parts/list.ts";
import { isStatus } from "./choices.ts";
import { PROPERTY_SORTS, type PropertyQuery } from "./list-store.ts";

/** For how many days a property can be asked to have been silent. */
export const SILENCES = [1, 2, 7, 30] as const;

/** What the list is asked for; `silent` is the number of days, as it was chosen. */
export type PropertyListQuery = PropertyQuery & { silent: number | undefined };

/** Reads the query of the list; a filter that cannot be read filters nothing. `now` in milliseconds since 1970. */
export function readPropertyQuery(query: unknown, now: number): PropertyListQuery {
  const typed = readTyped(query);
  const silent = SILENCES.find((days) => String(days) === typed.silent);
  return {
    ...readListQuery(query, PROPERTY_SORTS),
    status: isStatus(typed.status ?? "") ? typed.status : undefined,
    silent,
    silentSince: silent && now - silent * DAY_MS,
  };
}
