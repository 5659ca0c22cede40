import type { Generated } from "kysely";

/** The tables as types. Flags are 0 or 1, times are milliseconds since 1970 in UTC, JSON is text. */
export type Tables = {
  property: Sorted<PropertyRow>;
  property_activity: PropertyActivityRow;
  category: Sorted<CategoryRow>;
  rate_plan: RatePlanRow;
  inventory_page: InventoryPageRow;
  rate_page: RatePageRow;
  night_undo: NightUndoRow;
  message: MessageRow;
  message_body: MessageBodyRow;
  sender: SenderRow;
  error_entry: ErrorEntryRow;
  error_group: ErrorGroupRow;
  error_hour: ErrorHourRow;
  error_drop: ErrorDropRow;
  error_size: ErrorSizeRow;
  job: JobRow;
  session: SessionRow;
  sign_in: SignInRow;
  secret: SecretRow;
  audit: AuditRow;
  search_word: SearchWordRow;
  pruning_time: PruningTimeRow;
};

/** A row with its `sortName` key, which belongs to the table, not to the record. */
type Sorted<Row extends { name: string }> = Row & { sort_name: string };

export type PropertyRow = {
  code: string;
  name: string;
  status: string;
  currency: string;
  time_zone: string;
  country: string | null;
  street: string | null;
  city: string | null;
  region: string | null;
  postal_code: string | null;
  latitude: string | null;
  longitude: string | null;
  phone: string | null;
  email: string | null;
  website: string | null;
  contact_name: string | null;
  property_type: string;
  stars: number | null;
  check_in_from: string | null;
  check_in_until: string | null;
  check_out_until: string | null;
  languages: string | null;
  assume_open: number;
  known_plans_only: number;
  horizon_days: number;
  prices_include_tax: number;
  min_child_age: number | null;
  max_child_age: number | null;
  description: string | null;
  notes: string | null;
  group_name: string | null;
  external_id: string | null;
  version: number;
  created_at: number;
  updated_at: number;
};

/** The channel's last actions on a property; kept apart from it, so that messages never conflict with an edit. */
export type PropertyActivityRow = {
  property: string;
  last_message_at: number;
  /** For counts. */
  last_complete_set_at: number | null;
  last_rate_plan_set_at: number | null;
};

export type CategoryRow = {
  property: string;
  code: string;
  name: string;
  description: string | null;
  kind: string;
  standard_occupancy: number;
  min_occupancy: number;
  max_occupancy: number;
  max_adults: number | null;
  max_children: number | null;
  max_infants: number | null;
  rooms: number;
  room_names: string | null;
  size: number | null;
  beds: string | null;
  smoking: number;
  accessible: number;
  amenities: string | null;
  photos: string | null;
  status: string;
  sort_order: number;
  version: number;
  created_at: number;
  updated_at: number;
};

/** Made by messages on first sight. `details` is JSON: supplements, offers and descriptions kept as they came. */
export type RatePlanRow = {
  property: string;
  code: string;
  name: string | null;
  currency: string | null;
  price_basis: string | null;
  meal_plan: string | null;
  /** Whether amounts are told before tax, after it, or both. */
  taxes: "before" | "after" | "both" | null;
  status: string;
  details: string | null;
  sender: string | null;
  first_seen_at: number;
  last_seen_at: number;
};

/** One span of nights of a category's counts; `room` is empty, or one physical room of the category. */
export type InventoryPageRow = {
  property: string;
  category: string;
  room: string;
  span: number;
  page: Uint8Array;
  updated_at: number;
};

/** One span of nights of a category's rates under a plan; `plan` is empty for the category's own restrictions. */
export type RatePageRow = {
  property: string;
  category: string;
  plan: string;
  span: number;
  page: Uint8Array;
  updated_at: number;
};

/** Takes all pages that a message changed back to before it; `journal/undo-list.ts` describes the bytes. */
export type NightUndoRow = {
  message: number;
  at: number;
  undo: Uint8Array;
};

/** One message, received or sent from the console. `Database.commit` gives its `id`. */
export type MessageRow = {
  id: number;
  received_at: number;
  property: string | null;
  sender: string | null;
  via: "channel" | "console";
  transport: "raw" | "soap11" | "soap12" | "multipart" | "form" | "none";
  root: string | null;
  action: string | null;
  outcome: "ok" | "warnings" | "refused" | "malformed" | "unauthorised" | "failed";
  status: number;
  micros: number;
  request_bytes: number;
  answer_bytes: number;
  lines: number;
  changed_nights: number;
  last_night: number | null;
  dry_run: number;
  echo_token: string | null;
  stamp: string | null;
  remote: string | null;
  /** The first 48 bits of the SHA-1 of the body as it is kept: packed, and without passwords. */
  body_hash: number;
  same_as: number | null;
  summary: string;
  pruned: number;
};

/** The bodies of a message; `encoding` says which are compressed: `plain` none, `zstd` both, `zstd-request` the request. `notes` is JSON: errors, warnings, ignored parts, headers. */
export type MessageBodyRow = {
  message: number;
  encoding: "plain" | "zstd" | "zstd-request";
  request: Uint8Array;
  answer: Uint8Array;
  notes: string;
};

/** `hotels` is a JSON list of property codes, or null for all. `hash` is SHA-256 of a generated secret. */
export type SenderRow = {
  name: string;
  hash: string;
  hotels: string | null;
  created_at: number;
  disabled_at: number | null;
};

/** `detail` is JSON: object, trace, server, get, session and what else is known. `group_id` is null until a group is found for it. */
export type ErrorEntryRow = {
  id: Generated<number>;
  at: number;
  class: string;
  message: string;
  /** The server (the specification's `php`), a browser's script, or a content security policy report. */
  source: "php" | "js" | "csp";
  caught: number;
  status: number | null;
  detail: string;
  /** Unique; null for entries of earlier versions. */
  key: string | null;
  group_id: number | null;
};

/**
 * Errors that are alike: `id` is the beginning of their fingerprint, which was made of `source`, `class`, `pattern` and `place` by the
 * version `algorithm`. `message`, `caught` and `status` are those of the newest, `count` is of all that ever came.
 */
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
  /** What led to it: the first entry, one after it was resolved, more than it was muted for, the end of a mute, or somebody. */
  state_why: "new" | "regressed" | "louder" | "expired" | "person";
  state_at: number;
  /** A mute that ends by itself. */
  muted_until: number | null;
  /** A mute that ends when more than this come in an hour; in the hour in which it began, `mute_base` had come before. */
  mute_above: number | null;
  mute_base: number | null;
  /** 1 while somebody is to be told. */
  alert: number | null;
  alerted_at: number | null;
};

/** How many came in an hour, counted since 1970 in UTC. */
export type ErrorHourRow = { group_id: number; hour: number; count: number };

/** How many errors a rule left out of the log. */
export type ErrorDropRow = { rule: string; count: number; first_at: number; last_at: number };

/** The size of all error entries; one row. */
export type ErrorSizeRow = { bytes: number };

/** When a periodic job was last claimed. */
export type JobRow = { name: string; claimed_at: number };

export type SessionRow = {
  id_hash: string;
  data: string;
  created_at: number;
  seen_at: number;
};

/** Failed sign-ins by address, browser or in all, and addresses that administrators signed in from. See `web/guard/attempts.ts`. */
export type SignInRow = { door: "people" | "senders"; key: string; failures: number; until: number };

/** Secrets the service made for itself, `name` saying what for; only hashes or keys, never what a person typed. */
export type SecretRow = { name: string; value: string; created_at: number };

/** Who did what to which record; `detail` is JSON, for an edit the fields with their old and new values. */
export type AuditRow = {
  id: Generated<number>;
  at: number;
  actor: string;
  action: string;
  subject: string;
  detail: string;
};

/** A word by which a property or category is found; `code` is empty for a property. See `records/search.ts`. */
export type SearchWordRow = { kind: string; word: Uint8Array; property: string; code: string };

/** The only row is named `clock`. See `db/pruning-time.ts`. */
export type PruningTimeRow = { name: string; reached_at: number; seen_at: number };
