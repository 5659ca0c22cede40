import { z } from "zod";
import { type Faults, readId, type Typed } from "../../web/form.ts";
import { readPageSize } from "../../web/parts/list.ts";
import { readMoment } from "../../web/read-moment.ts";
import { ERROR_SOURCES } from "./entry.ts";
import { GROUP_ORDERS, GROUP_STATES, type GroupOrder, type GroupPosition } from "./group.ts";
import type { ErrorFilter } from "./list-store.ts";

const EXPORTED = 10_000;
/** Each of them with its counts by the hour. */
const GROUPS_EXPORTED = 1_000;

/** What the query of the list asks for. `typed` are the filters as they came, for the form and the links; `faults` what was not understood. */
export type ErrorQuery = {
  filter: ErrorFilter;
  before: number | undefined;
  limit: number;
  format: "page" | "json" | "csv";
  view: "list" | "groups";
  /** Of groups, as is `after`. */
  order: GroupOrder;
  after: GroupPosition | undefined;
  typed: Readonly<Record<FilterName, string>>;
  faults: Faults;
};

/** What the list can be narrowed by. */
const FILTER_NAMES = ["q", "class", "source", "caught", "status", "state", "from", "to", "group"] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** What the filter `caught` takes, in upper or lower case. */
export const CAUGHT = ["yes", "no"] as const;

/** What the filter `state` takes. Groups are the open ones where it is absent, entries are all. */
export const STATES = [...GROUP_STATES, "all"] as const;

const empty = z.literal("").transform(() => undefined);
const choice = <T extends string>(choices: readonly T[], message: string) => z.enum(choices, { error: message });

const filterSchema = z.object({
  q: z.union([empty, z.string()]),
  class: z.union([empty, z.string()]),
  source: empty.or(choice(ERROR_SOURCES, `Choose a source: ${ERROR_SOURCES.join(", ")}`)),
  caught: empty.or(choice(CAUGHT, "Choose whether it was caught: yes or no").transform((caught) => caught === "yes")),
  status: empty.or(z.stringFormat("status", /^[1-5]\d\d$/, { error: "Enter an HTTP status such as 404" }).transform(Number)),
  state: empty.or(choice(STATES, `Choose a state: ${STATES.join(", ")}`).transform((state) => (state === "all" ? undefined : state))),
  group: empty.or(z.string().transform((text, context) => readId(text) ?? refuseGroup(context))),
  from: empty.or(z.string().transform((text, context) => readMoment(text, "first") ?? refuseMoment(context))),
  to: empty.or(z.string().transform((text, context) => readMoment(text, "last") ?? refuseMoment(context))),
});

/** Reads the query; a filter that is not understood is named in `faults` and narrows nothing. */
export function readErrorQuery(query: Typed): ErrorQuery {
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
  if (view === "groups" && typed.state === "") filter.state = "open";
  const exported = view === "groups" ? GROUPS_EXPORTED : EXPORTED;
  return {
    filter,
    before: readId(query.before ?? ""),
    limit: format === "page" || query.size !== undefined ? readPageSize(query.size) : exported,
    format,
    view,
    order: GROUP_ORDERS.find((order) => order === query.sort) ?? "last",
    after: readPosition(query.after ?? ""),
    typed,
    faults,
  };
}

/** What is chosen from a list may be written as the columns show it: Yes. */
function typedIn(query: Typed, name: FilterName): string {
  const text = (query[name] ?? "").slice(0, LONGEST);
  return CHOSEN.has(name) ? text.toLowerCase() : text;
}

/** Of what a filter takes, in characters. */
const LONGEST = 200;
const CHOSEN: ReadonlySet<FilterName> = new Set(["caught", "source", "state"]);

/** A position as an address tells it. */
export function positionText({ value, id }: GroupPosition): string {
  return `${value}.${id}`;
}

function readPosition(text: string): GroupPosition | undefined {
  const [value = "", id = ""] = text.split(".");
  const read = [readId(value), readId(id)] as const;
  return read[0] !== undefined && read[1] !== undefined ? { value: read[0], id: read[1] } : undefined;
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

function refuseGroup(context: z.RefinementCtx): never {
  context.addIssue({ code: "custom", message: "Enter the number of a group" });
  return z.NEVER;
}
