import { z } from "zod";
import { ERROR_SOURCES, GROUP_ORDERS, GROUP_STATES, type GroupOrder, type ListPosition } from "../../../errors/entry.ts";
import type { ErrorFilter } from "../../../errors/storage/list-store.ts";
import { type Faults, readId, type TypedValues } from "../../../web/form.ts";
import { listFormat, type ListFormat } from "../../../web/negotiate.ts";
import { readPageSize } from "../../../web/parts/list.ts";
import { requireOrder, parsedWith, momentFilter, readFilters } from "../../../web/read-filters.ts";

export const MAX_EXPORTED = 10_000;
/** Lower than the maximum for entries, because each group includes its hourly counts. */
const MAX_EXPORTED_GROUPS = 1_000;

export type ErrorQuery = {
  filter: ErrorFilter;
  /** In lists, an entry ID or a position taken from a link or JSON. */
  before: number | ListPosition | undefined;
  limit: number;
  format: ListFormat;
  view: "list" | "groups";
  all: boolean;
  order: GroupOrder;
  after: ListPosition | undefined;
  typed: Readonly<Record<FilterName, string>>;
  faults: Faults;
};

export const CAUGHT_VALUES = ["yes", "no"] as const;

export const STATE_VALUES = [...GROUP_STATES, "all"] as const;

const fieldSchemas = {
  q: z.string(),
  class: z.string(),
  source: z.enum(ERROR_SOURCES, { error: `Choose a source: ${ERROR_SOURCES.join(", ")}` }),
  caught: z.enum(CAUGHT_VALUES, { error: "Choose yes or no" }).transform((caught) => caught === "yes"),
  status: z.stringFormat("status", /^[1-5]\d\d$/, { error: "Enter an HTTP status such as 404" }).transform(Number),
  state: z
    .enum(STATE_VALUES, { error: `Choose a state: ${STATE_VALUES.join(", ")}` })
    .transform((state) => (state === "all" ? undefined : state)),
  group: parsedWith(readId, "Enter a group number"),
  from: momentFilter("first"),
  to: momentFilter("last"),
};
const FILTER_NAMES = Object.keys(fieldSchemas) as FilterName[];
export type FilterName = keyof typeof fieldSchemas;

export function readErrorQuery(query: TypedValues): ErrorQuery {
  const typed = Object.fromEntries(FILTER_NAMES.map((name) => [name, readTyped(query, name)])) as Record<FilterName, string>;
  const { filters: filter, faults } = requireOrder(readFilters(fieldSchemas, typed));
  const format = listFormat(query);
  const view = query.view === "groups" ? "groups" : "list";
  if (view === "groups" && typed.state === "") filter.state = "open";
  const maxExported = view === "groups" ? MAX_EXPORTED_GROUPS : MAX_EXPORTED;
  return {
    filter,
    before: readPosition(query.before ?? "") ?? readId(query.before ?? ""),
    limit: format === "page" || query.size !== undefined ? readPageSize(query.size) : maxExported,
    format,
    view,
    all: query.all === "1",
    order: GROUP_ORDERS.find((order) => order === query.sort) ?? "last",
    after: readPosition(query.after ?? ""),
    typed,
    faults,
  };
}

/** Choices are case-insensitive, so that `Yes`, as shown in the Caught column, is accepted too. */
function readTyped(query: TypedValues, name: FilterName): string {
  const text = query[name] ?? "";
  return CHOICE_FILTERS.has(name) ? text.toLowerCase() : text;
}

const CHOICE_FILTERS: ReadonlySet<FilterName> = new Set(["caught", "source", "state"]);

export function positionText({ value, id }: ListPosition): string {
  return `${value}.${id}`;
}

function readPosition(text: string): ListPosition | undefined {
  const [value, id] = text.split(".", 2).map(readId);
  return value !== undefined && id !== undefined ? { value, id } : undefined;
}
