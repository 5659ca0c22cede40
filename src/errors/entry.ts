import type { ErrorEntryRow, ErrorGroupRow } from "../db/error-log-rows.ts";

/** `php` means the service itself; the interface specification prescribes this value. */
export type ErrorSource = ErrorEntryRow["source"];

export const ERROR_SOURCES: readonly ErrorSource[] = ["php", "js", "csp"];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export type ErrorSummary = {
  id: number;
  at: number;
  class: string;
  message: string;
  source: ErrorSource;
  caught: boolean;
  status: number | undefined;
  group: number | undefined;
};

export function caughtLabel(caught: boolean): "Yes" | "No" {
  return caught ? "Yes" : "No";
}

export type ErrorEntry = ErrorSummary & { detail: ErrorDetail };

export type NewErrorEntry = Omit<ErrorEntry, "id" | "group">;

export type ContextLevel = "full" | "path";

export type ErrorContext = Omit<ErrorDetail, "object" | "trace">;

/** An entry whose context is built only when needed, because building it is expensive. */
export type ErrorOutline = Omit<NewErrorEntry, "detail"> & {
  detail: Pick<ErrorDetail, "object" | "trace" | "cut">;
  context(level: ContextLevel): ErrorContext;
};

export type ErrorDetail = {
  object: ErrorObject;
  trace: readonly string[];
  server: JsonObject;
  get: Json;
  session: Json;
  extra: JsonObject;
  /** `size`: a value was too long. `repeat`: the context was omitted because errors in the group repeated too quickly. */
  cut?: "size" | "repeat";
};

export type ErrorObject = { status: number; message: string; code: number; file: string; line: number };

export const GROUP_STATES = ["open", "resolved", "muted"] as const;
export type GroupState = ErrorGroupRow["state"];

export type StateReason = ErrorGroupRow["state_why"];

/** `message`, `caught` and `status` come from the newest entry. `count` includes deleted entries. Times are in milliseconds since 1970. */
export type ErrorGroup = Pick<ErrorSummary, "id" | "class" | "message" | "source" | "caught" | "status"> & {
  algorithm: number;
  pattern: string;
  place: string;
  count: number;
  firstAt: number;
  lastAt: number;
  lastId: number | undefined;
  state: GroupState;
  reason: StateReason;
  stateAt: number;
  mutedUntil: number | undefined;
  muteAbove: number | undefined;
};

/** A mute ends at `until`, or when more than `above` entries arrive in an hour. `label` appears in the audit log. */
export type GroupChange =
  | { state: "open" | "resolved"; label: string }
  | { state: "muted"; label: string; until: number | undefined; above: number | undefined };

export const GROUP_ORDERS = ["last", "count"] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** The next page starts after this row. `value` is its sort key: a time or a count. */
export type ListPosition = { value: number; id: number };

export type GroupPage = { groups: ErrorGroup[]; next: ListPosition | undefined };

export type HourSpan = { first: number; hours: number };
