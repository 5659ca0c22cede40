import { z } from "zod";
import { ERROR_SOURCES } from "../../../errors/entry.ts";
import { GROUP_ORDERS, GROUP_STATES, type GroupOrder, type Position } from "../../../errors/storage/group.ts";
import type { ErrorFilter } from "../../../errors/storage/list-store.ts";
import { type Faults, readId, type Typed } from "../../../web/form.ts";
import { formatOf, type ListFormat } from "../../../web/negotiate.ts";
import { readPageSize } from "../../../web/parts/list.ts";
import { inOrder, readBy, readEdge, readFilters } from "../../../web/read-filters.ts";

/** Entries that an export has at most. */
export const EXPORTED = 10_000;
/** Each of them with its counts by the hour. */
const GROUPS_EXPORTED = 1_000;

/** What the query of the list asks for. `typed` are the filters as they came, for the form and the links; `faults` what was not understood. */
export type ErrorQuery = {
  filter: ErrorFilter;
  /** An entry by its id, as people write it, or where it stands, as links and JSON have it. */
  before: number | Position | undefined;
  limit: number;
  format: ListFormat;
  view: "list" | "groups";
  /** The boxes of all groups of the page are ticked. */
  all: boolean;
  /** Of groups, as is `after`. */
  order: GroupOrder;
  after: Position | undefined;
  typed: Readonly<Record<FilterName, string>>;
  faults: Faults;
};

/** What the filter `caught` takes, in upper or lower case. */
export const CAUGHT = ["yes", "no"] as const;

/** What the filter `state` takes. Groups are the open ones where it is absent, entries are all. */
export const STATES = [...GROUP_STATES, "all"] as const;

/** What the list can be narrowed by. */
const schemas = {
  q: z.string(),
  class: z.string(),
  source: z.enum(ERROR_SOURCES, { error: `Choose a source: ${ERROR_SOURCES.join(", ")}` }),
  caught: z.enum(CAUGHT, { error: "Choose whether it was caught: yes or no" }).transform((caught) => caught === "yes"),
  status: z.stringFormat("status", /^[1-5]\d\d$/, { error: "Enter an HTTP status such as 404" }).transform(Number),
  state: z.enum(STATES, { error: `Choose a state: ${STATES.join(", ")}` }).transform((state) => (state === "all" ? undefined : state)),
  group: readBy(readId, "Enter the number of a group"),
  from: readEdge("first"),
  to: readEdge("last"),
};
const FILTER_NAMES = Object.keys(schemas) as FilterName[];
export type FilterName = keyof typeof schemas;

/** Reads the query; a filter that is not understood is named in `faults` and narrows nothing. */
export function readErrorQuery(query: Typed): ErrorQuery {
  const typed = Object.fromEntries(FILTER_NAMES.map((name) => [name, typedIn(query, name)])) as Record<FilterName, string>;
  const { filters: filter, faults } = inOrder(readFilters(schemas, typed));
  const format = formatOf(query);
  const view = query.view === "groups" ? "groups" : "list";
  if (view === "groups" && typed.state === "") filter.state = "open";
  const exported = view === "groups" ? GROUPS_EXPORTED : EXPORTED;
  return {
    filter,
    before: readPosition(query.before ?? "") ?? readId(query.before ?? ""),
    limit: format === "page" || query.size !== undefined ? readPageSize(query.size) : exported,
    format,
    view,
    all: query.all === "1",
    order: GROUP_ORDERS.find((order) => order === query.sort) ?? "last",
    after: readPosition(query.after ?? ""),
    typed,
    faults,
  };
}

/** What is chosen from a list may be written as the columns show it: Yes. */
function typedIn(query: Typed, name: FilterName): string {
  const text = query[name] ?? "";
  return CHOSEN.has(name) ? text.toLowerCase() : text;
}

const CHOSEN: ReadonlySet<FilterName> = new Set(["caught", "source", "state"]);

/** A position as an address tells it. */
export function positionText({ value, id }: Position): string {
  return `${value}.${id}`;
}

function readPosition(text: string): Position | undefined {
  const [value = "", id = ""] = text.split(".");
  const read = [readId(value), readId(id)] as const;
  return read[0] !== undefined && read[1] !== undefined ? { value: read[0], id: read[1] } : undefined;
}
