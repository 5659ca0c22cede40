import { z } from "zod";
import { type Faults, readId } from "../../web/form.ts";
import { readPageSize } from "../../web/parts/list.ts";
import { readMoment } from "../../web/read-moment.ts";
import { ERROR_SOURCES } from "./entry.ts";
import { GROUP_ORDERS, type GroupOrder } from "./groups.ts";
import type { ErrorFilter } from "./list-store.ts";

const EXPORTED = 10_000;
/** So many of the newest entries are put into groups. */
const GROUPED = 2_000;

/** What the query of the list asks for. `typed` are the filters as they came, for the form and the links; `faults` what was not understood. */
export type ErrorQuery = {
  filter: ErrorFilter;
  before: number | undefined;
  limit: number;
  format: "page" | "json" | "csv";
  view: "list" | "groups";
  /** Of groups. */
  order: GroupOrder;
  typed: Readonly<Record<FilterName, string>>;
  faults: Faults;
};

/** What the list can be narrowed by. */
export const FILTER_NAMES = ["q", "class", "source", "caught", "status", "from", "to"] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** What the filter `caught` takes, in upper or lower case. */
export const CAUGHT = ["yes", "no"] as const;

const empty = z.literal("").transform(() => undefined);
const choice = <T extends string>(choices: readonly T[], message: string) => z.enum(choices, { error: message });

const filterSchema = z.object({
  q: z.union([empty, z.string()]),
  class: z.union([empty, z.string()]),
  source: empty.or(choice(ERROR_SOURCES, `Choose a source: ${ERROR_SOURCES.join(", ")}`)),
  caught: empty.or(choice(CAUGHT, "Choose whether it was caught: yes or no").transform((caught) => caught === "yes")),
  status: empty.or(z.stringFormat("status", /^[1-5]\d\d$/, { error: "Enter an HTTP status such as 404" }).transform(Number)),
  from: empty.or(z.string().transform((text, context) => readMoment(text, "first") ?? refuseMoment(context))),
  to: empty.or(z.string().transform((text, context) => readMoment(text, "last") ?? refuseMoment(context))),
});

/** Reads the query; a filter that is not understood is named in `faults` and narrows nothing. */
export function readErrorQuery(query: Readonly<Record<string, unknown>>): ErrorQuery {
  const typed = Object.fromEntries(FILTER_NAMES.map((name) => [name, typedIn(query, name)])) as Record<FilterName, string>;
  const faults: Record<string, string> = {};
  const filter: Record<string, unknown> = {};
  for (const name of FILTER_NAMES) {
    const read = filterSchema.shape[name].safeParse(typed[name]);
    if (read.success) filter[name] = read.data;
    else faults[name] = faultOf(read.error);
  }
  const format = query.format === "json" || query.format === "csv" ? query.format : "page";
  const view = query.view === "groups" ? "groups" : "list";
  const listed = format === "page" || query.size !== undefined ? readPageSize(query.size) : EXPORTED;
  return {
    filter,
    before: readId(textOf(query.before)),
    limit: view === "groups" ? GROUPED : listed,
    format,
    view,
    order: GROUP_ORDERS.find((order) => order === query.sort) ?? "last",
    typed,
    faults,
  };
}

/** What is chosen from a list may be written as the columns show it: Yes. */
function typedIn(query: Readonly<Record<string, unknown>>, name: FilterName): string {
  const text = textOf(query[name]);
  return name === "caught" || name === "source" ? text.toLowerCase() : text;
}

/** The message of the choice that was meant, not of the empty text. */
function faultOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === "invalid_union") return issue.errors.at(-1)?.[0]?.message ?? issue.message;
  return issue?.message ?? "This filter is not understood";
}

function refuseMoment(context: z.RefinementCtx): never {
  context.addIssue({ code: "custom", message: "Enter a date such as 2026-11-20, or a time such as 2026-11-20T08:30" });
  return z.NEVER;
}

function textOf(value: unknown): string {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === "string" ? last.trim().slice(0, 200) : "";
}
