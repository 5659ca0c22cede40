import type { Generated } from "kysely";

/** `detail` is JSON. `group_id` is null until the entry is grouped. */
export type ErrorEntryRow = {
  id: Generated<number>;
  at: number;
  class: string;
  message: string;
  source: "php" | "js" | "csp";
  caught: number;
  status: number | null;
  detail: string;
  /** Unique. Null for entries written by earlier versions. */
  key: string | null;
  group_id: number | null;
};

/** `id` is the start of a hash of `source`, `class`, `pattern` and `place`. `algorithm` is the version of the grouping rules. */
export type ErrorGroupRow = {
  id: number;
  class: string;
  source: ErrorEntryRow["source"];
  message: string;
  caught: number;
  status: number | null;
  algorithm: number;
  pattern: string;
  place: string;
  count: number;
  first_at: number;
  last_at: number;
  state: "open" | "resolved" | "muted";
  /** `louder` means that the error count exceeded the mute's limit, and `expired` that the mute ended. */
  state_why: "new" | "regressed" | "louder" | "expired" | "person";
  state_at: number;
  muted_until: number | null;
  /** The mute ends if there are more errors than this in one hour. `mute_base` is the hour's count when the mute started. */
  mute_above: number | null;
  mute_base: number | null;
  /** 1 while an alert is pending. */
  alert: number | null;
  alerted_at: number | null;
};

/** Hours since 1970 in UTC. */
export type ErrorHourRow = { group_id: number; hour: number; count: number };

export type ErrorDropRow = { rule: string; count: number; first_at: number; last_at: number };

export type ErrorSizeRow = { bytes: number };
