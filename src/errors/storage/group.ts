import type { ErrorGroupRow } from "../../db/schema.ts";
import type { ErrorSummary } from "../entry.ts";

export const GROUP_STATES = ["open", "resolved", "muted"] as const;
export type GroupState = ErrorGroupRow["state"];

export type StateReason = ErrorGroupRow["state_why"];

/** `message`, `caught` and `status` come from the newest entry. `count` includes deleted entries. Times are UTC milliseconds. */
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

/** A mute ends at `until`, or when more than `above` entries arrive in an hour. `label` is what the audit log shows. */
export type GroupChange =
  | { state: "open" | "resolved"; label: string }
  | { state: "muted"; label: string; until: number | undefined; above: number | undefined };

export const GROUP_ORDERS = ["last", "count"] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** The next page starts after this row. `value` is its sort key: a time or a count. */
export type Position = { value: number; id: number };

export type GroupPage = { groups: ErrorGroup[]; next: Position | undefined };

/** `first` is counted in hours since 1970. */
export type HourSpan = { first: number; hours: number };

export function auditSubject(id: number): string {
  return `error-group:${id}`;
}
