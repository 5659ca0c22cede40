import { z } from "zod";
import type { MessageFilters } from "../../../journal/messages.ts";
import { isOutcome } from "../../../journal/outcome.ts";
import { type Faults, readId, readTyped, type Typed } from "../../../web/form.ts";
import { formatOf, type ListFormat } from "../../../web/negotiate.ts";
import { inOrder, readBy, readEdge, readFilters } from "../../../web/read-filters.ts";

/** Where messages come from. */
export const WAYS = ["channel", "console"] as const;

const schemas = {
  q: z.string(),
  property: z.string(),
  message: z.string(),
  outcome: readBy((text) => (isOutcome(text) ? text : undefined), "Choose an outcome from the list"),
  status: whole("an HTTP status such as 500"),
  slower: whole("milliseconds as a whole number, such as 500"),
  bytes: whole("bytes as a whole number, such as 1000000"),
  lines: whole("a whole number of lines, such as 1000"),
  sender: z.string(),
  via: z.enum(WAYS, { error: "Choose a way from the list" }),
  from: readEdge("first"),
  to: readEdge("last"),
};

/** The fields of the filter form. */
export const LOG_FIELDS = Object.keys(schemas);

/** What the message log is asked for; a filter that cannot be read filters nothing and has a fault. */
export type LogQuery = { typed: Typed; faults: Faults; filters: MessageFilters; format: ListFormat };

/** Reads the query of the message log. */
export function readLogQuery(query: unknown): LogQuery {
  const typed = readTyped(query);
  const { filters, faults } = inOrder(readFilters(schemas, typed));
  const { q: text, message: root, slower, ...others } = filters;
  const micros = slower && slower * 1_000;
  return { typed, faults, filters: { ...others, text, root, micros, before: readId(typed.before ?? "") }, format: formatOf(typed) };
}

function whole(example: string) {
  return readBy((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined), `Enter ${example}`);
}
