import { z } from "zod";
import type { MessageFilters } from "../../../journal/messages.ts";
import { isOutcome } from "../../../journal/work.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../../web/form.ts";
import { listFormat, type ListFormat } from "../../../web/negotiate.ts";
import { requireOrder, parsedWith, momentFilter, readFilters } from "../../../web/read-filters.ts";

export const MESSAGE_SOURCES = ["channel", "console", "record"] as const;

const fieldSchemas = {
  q: z.string(),
  property: z.string(),
  message: z.string(),
  outcome: parsedWith((text) => (isOutcome(text) ? text : undefined), "Choose an outcome from the list"),
  status: integerSchema("an HTTP status such as 500"),
  slower: integerSchema("a duration in whole milliseconds, such as 500"),
  bytes: integerSchema("a size in whole bytes, such as 1000000"),
  lines: integerSchema("a whole number of lines, such as 1000"),
  sender: z.string(),
  via: z.enum(MESSAGE_SOURCES, { error: "Choose a source from the list" }),
  from: momentFilter("first"),
  to: momentFilter("last"),
};

export const LOG_FIELDS = Object.keys(fieldSchemas);

export type LogQuery = { typed: TypedValues; faults: Faults; filters: MessageFilters; format: ListFormat };

export function readLogQuery(query: unknown): LogQuery {
  const typed = readTyped(query);
  const { filters, faults } = requireOrder(readFilters(fieldSchemas, typed));
  const { q: text, message: root, slower, ...others } = filters;
  const micros = slower && slower * 1_000;
  return { typed, faults, filters: { ...others, text, root, micros, before: readId(typed.before ?? "") }, format: listFormat(typed) };
}

function integerSchema(expected: string) {
  return parsedWith((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined), `Enter ${expected}`);
}
