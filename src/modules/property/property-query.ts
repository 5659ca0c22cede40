import { DAY_MS } from "../../calendar/night.ts";
import { readTyped } from "../../web/form.ts";
import type { FormState } from "../../web/parts/fields.ts";
import { readListQuery } from "../../web/parts/list.ts";
import { readBy, readFilters } from "../../web/read-filters.ts";
import { isStatus } from "./choices.ts";
import { PROPERTY_SORTS, type PropertyQuery } from "./list-store.ts";

/** For how many days a property can be asked to have been silent; one that never sent anything is `never`. */
export const SILENCES = [1, 2, 7, 30] as const;

const schemas = {
  status: readBy((text) => (isStatus(text) ? text : undefined), "Choose a status: active, inactive or test"),
  silent: readBy(readSilence, "Choose 1, 2, 7 or 30 days, or never"),
};

/** What the list is asked for. */
export type PropertyListQuery = PropertyQuery & FormState;

/** Reads the query of the list; a filter that cannot be read filters nothing and has a fault. `now` in milliseconds since 1970. */
export function readPropertyQuery(query: unknown, now: number): PropertyListQuery {
  const typed = readTyped(query);
  const { filters, faults } = readFilters(schemas, typed);
  const { status, silent } = filters;
  const heard = silent === undefined || silent === "never" ? silent : { before: now - silent * DAY_MS };
  return { ...readListQuery(query, PROPERTY_SORTS), status, heard, typed, faults };
}

function readSilence(text: string) {
  return text === "never" ? text : SILENCES.find((days) => String(days) === text);
}
