import type { ErrorGroupRow } from "../../db/schema.ts";
import type { ErrorSummary } from "../entry.ts";

/** In the order in which they are offered. */
export const GROUP_STATES = ["open", "resolved", "muted"] as const;
export type GroupState = ErrorGroupRow["state"];

/** What led to a state. */
export type StateReason = ErrorGroupRow["state_why"];

/** Errors that are alike; `message`, `caught` and `status` are those of the newest, `count` is of all that ever came. Times are UTC milliseconds. */
export type ErrorGroup = Pick<ErrorSummary, "id" | "class" | "message" | "source" | "caught" | "status"> & {
  /** What puts them together, and the version of the rules for it. */
  algorithm: number;
  pattern: string;
  place: string;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The newest entry; undefined where none is kept. */
  lastId: number | undefined;
  state: GroupState;
  why: StateReason;
  since: number;
  mutedUntil: number | undefined;
  /** Muted until more than this come in an hour. */
  muteAbove: number | undefined;
};

/** What somebody makes of a group; a mute ends at `until`, or when more than `above` come in an hour. `words` say it for the audit. */
export type GroupChange =
  | { state: "open" | "resolved"; words: string }
  | { state: "muted"; words: string; until: number | undefined; above: number | undefined };

/** How groups stand below each other. */
export const GROUP_ORDERS = ["last", "count"] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** Where a page of groups or entries begins: after `id`, whose time or count is `value`. */
export type Position = { value: number; id: number };

/** Groups of one page; `next` is the position to go on after, undefined at the end. */
export type GroupPage = { groups: ErrorGroup[]; next: Position | undefined };

/** A time in hours: the first, counted since 1970, and how many. */
export type HourSpan = { first: number; hours: number };

/** What the audit calls a group. */
export function subjectOf(id: number): string {
  return `error-group:${id}`;
}
