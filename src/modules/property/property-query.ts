import { DAY_MS } from "../../calendar/night.ts";
import { isPropertyStatus } from "../../records/property/choices.ts";
import { PROPERTY_SORTS, type PropertyQuery } from "../../records/property/list-store.ts";
import { readTyped } from "../../web/form.ts";
import type { FormState } from "../../web/parts/fields.ts";
import { type ListQuery, readListQuery } from "../../web/parts/list.ts";
import { parsedWith, readFilters } from "../../web/read-filters.ts";

export const SILENT_DAYS = [1, 2, 7, 30] as const;

const fieldSchemas = {
  status: parsedWith((text) => (isPropertyStatus(text) ? text : undefined), "Choose a status: active, inactive, test or archived"),
  silent: parsedWith(readSilentDays, "Choose 1, 2, 7 or 30 days, or never"),
};

export type PropertyListQuery = PropertyQuery & ListQuery & FormState;

/** Reports an invalid filter in `faults` and ignores it. `now` is in milliseconds since 1970. */
export function readPropertyQuery(query: unknown, now: number): PropertyListQuery {
  const typed = readTyped(query);
  const { filters, faults } = readFilters(fieldSchemas, typed);
  const { status, silent } = filters;
  const lastMessage = silent === undefined || silent === "never" ? silent : { before: now - silent * DAY_MS };
  return { ...readListQuery(query, PROPERTY_SORTS), status, lastMessage, typed, faults };
}

function readSilentDays(text: string) {
  return text === "never" ? text : SILENT_DAYS.find((days) => String(days) === text);
}
