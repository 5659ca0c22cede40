import type { Generated } from "kysely";
import type { AlertRow, AlertRuleRow } from "./alert-rows.ts";
import type { ErrorDropRow, ErrorEntryRow, ErrorGroupRow, ErrorHourRow, ErrorSizeRow } from "./error-log-rows.ts";
import type { ImportLineRow, ImportPartRow, ImportRow } from "./import-rows.ts";
import type { WebhookDeliveryRow, WebhookRow } from "./webhook-rows.ts";

/**
 * Flags are 0 or 1, times are milliseconds since 1970 in UTC, and JSON is stored as text. The modules in `records/` add the tables
 * `property` and `category`.
 */
export interface Tables {
  property_activity: PropertyActivityRow;
  rate_plan: RatePlanRow;
  inventory_page: InventoryPageRow;
  rate_page: RatePageRow;
  night_undo: NightUndoRow;
  change_outbox: ChangeOutboxRow;
  change: ChangeRow;
  night_summary: NightSummaryRow;
  summary_progress: SummaryProgressRow;
  saved_view: SavedViewRow;
  webhook: WebhookRow;
  alert_rule: AlertRuleRow;
  alert: AlertRow;
  import: ImportRow;
  import_part: ImportPartRow;
  import_row: ImportLineRow;
  webhook_delivery: WebhookDeliveryRow;
  message: MessageRow;
  message_body: MessageBodyRow;
  past_message: PastMessageRow;
  sender: SenderRow;
  sender_code: SenderCodeRow;
  sender_nonce: SenderNonceRow;
  person: PersonRow;
  api_token: ApiTokenRow;
  error_entry: ErrorEntryRow;
  error_group: ErrorGroupRow;
  error_hour: ErrorHourRow;
  error_drop: ErrorDropRow;
  error_size: ErrorSizeRow;
  job: JobRow;
  backfill: BackfillRow;
  copy_progress: CopyProgressRow;
  session: SessionRow;
  sign_in: SignInRow;
  secret: SecretRow;
  audit: AuditRow;
  search_text: SearchTextRow;
  pruning_time: PruningTimeRow;
}

export type WithSortName<Row extends { name: string }> = Row & { sort_name: string };

export type PropertyRow = Omit<Tables["property"], "sort_name">;
export type CategoryRow = Omit<Tables["category"], "sort_name">;

/** A separate table, so that messages don't conflict with property edits. */
export type PropertyActivityRow = {
  property: string;
  last_message_at: number;
  last_complete_set_at: number | null;
  last_rate_plan_set_at: number | null;
  distribution: string | null;
};

/**
 * Created by a user or by the first message that contains the plan. `details` is JSON with supplements, offers and descriptions as received.
 * `updated_at` is the last edit by a user.
 */
export type RatePlanRow = {
  property: string;
  code: string;
  name: string | null;
  currency: string | null;
  price_basis: string | null;
  meal_plan: string | null;
  taxes: "before" | "after" | "both" | null;
  status: string;
  details: string | null;
  sender: string | null;
  first_seen_at: number;
  last_seen_at: number;
  parent_note: string | null;
  version: number;
  updated_at: number | null;
};

/** `room` is empty for the whole category. */
export type InventoryPageRow = {
  property: string;
  category: string;
  room: string;
  span: number;
  page: Uint8Array;
  updated_at: number;
};

/** `plan` is empty for restrictions on the category itself. */
export type RatePageRow = {
  property: string;
  category: string;
  plan: string;
  span: number;
  page: Uint8Array;
  updated_at: number;
};

/** Undo record of a message. `journal/undo-store.ts` describes the byte format. */
export type NightUndoRow = {
  message: number;
  /** Empty in rows written by earlier versions, unless the database is distributed. */
  message_property: string;
  at: number;
  undo: Uint8Array;
};

/**
 * A change to nights or to a record. For nights, the undo record of `message` lists the details. For a record, `category` or `plan` is set
 * unless the property itself changed; `message` is null if a user made the change.
 */
type ChangeColumns = {
  at: number;
  property: string;
  message: number | null;
  kind: "nights" | "record";
  category: string | null;
  plan: string | null;
};

/** A committed change that has no position yet. */
export type ChangeOutboxRow = ChangeColumns & { id: Generated<number> };

/** Positions have no gaps. `outbox` is the change's ID in the outbox. */
export type ChangeRow = ChangeColumns & { position: number; outbox: number };

/** `nights` is packed; see `calendar/night-summary.ts`. */
export type NightSummaryRow = { block: number; property: string; nights: Uint8Array };

/** A single row. Summaries include changes up to `position`. `filled` is the initial fill's last property so far; null when it is done. */
export type SummaryProgressRow = { id: number; position: number; filled: string | null };

/** `owner` is a user or a browser. `query` contains the view's filters, without a leading `?`. */
export type SavedViewRow = { id: Generated<number>; owner: string; grid: "inventories" | "rates"; name: string; query: string };

export type MessageRow = {
  id: number;
  received_at: number;
  /** Empty if the property is not known, or null in rows written by earlier versions. `journal/messages.ts` returns null for both. */
  property: string | null;
  sender: string | null;
  /** `record` is used for an edit of a rate plan that changed nights. */
  via: "channel" | "console" | "record";
  transport: "raw" | "json" | "soap11" | "soap12" | "multipart" | "form" | "none";
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
  /** First 48 bits of the SHA-1 of the stored body. */
  body_hash: number;
  same_as: number | null;
  summary: string;
  pruned: number;
};

/**
 * `plain` means that neither body is compressed, `zstd` that both are. `notes` is JSON with errors, warnings, ignored parts and headers.
 */
export type MessageBodyRow = {
  message: number;
  /** Empty in rows written by earlier versions, unless the database is distributed. */
  message_property: string;
  encoding: "plain" | "zstd" | "zstd-request";
  request: Uint8Array;
  answer: Uint8Array;
  notes: string;
};

/** A message that was deleted from the log because of its age, but set nights that are still stored. `property` is empty if not known. */
export type PastMessageRow = { message: number; property: string; received_at: number; sender: string | null; last_night: number };

/** `hotels` is a JSON list of property codes, or null for all. `hash` is the SHA-256 of a generated secret. */
export type SenderRow = {
  name: string;
  hash: string;
  hotels: string | null;
  created_at: number;
  disabled_at: number | null;
  /** The secret before the last rotation, valid until `old_until`. */
  old_hash: string | null;
  old_until: number | null;
  /** The plain secret, stored only for senders that sign in with a WS-Security digest. */
  digest_secret: string | null;
  old_digest_secret: string | null;
  expires_at: number | null;
  used_at: number | null;
  /** Name of a preset. Null means `standard`. */
  profile: string | null;
  /** Differences from the preset, as JSON. */
  settings: string | null;
  /** The first distribution code that the sender used. */
  distribution: string | null;
};

/** Maps a sender's code to ours. `property` is empty for kind `property`. */
export type SenderCodeRow = { sender: string; kind: "property" | "category" | "plan"; property: string; code: string; target: string };

/** An accepted digest's nonce, stored so that the digest is accepted only once. */
export type SenderNonceRow = { hash: string; until: number };

/** A named user. `password` and `invitation` are hashes; `subject` is the issuer and subject of a single sign-on user. */
export type PersonRow = {
  name: string;
  role: "viewer" | "editor" | "admin";
  password: string | null;
  source: "local" | "oidc";
  subject: string | null;
  invitation: string | null;
  invited_until: number | null;
  created_at: number;
  password_at: number | null;
  /** May lag behind the last request by up to a minute. */
  seen_at: number | null;
  disabled_at: number | null;
};

/** `hash` is the SHA-256 of the token. `scopes` and `properties` are JSON lists; null allows all properties. */
export type ApiTokenRow = {
  id: Generated<number>;
  name: string;
  prefix: string;
  hash: string;
  scopes: string;
  properties: string | null;
  created_by: string;
  created_at: number;
  expires_at: number | null;
  used_at: number | null;
  revoked_at: number | null;
};

export type JobRow = { name: string; claimed_at: number };

export type BackfillRow = { name: string };

/** A table that is being copied into this database. The row with an empty name contains the source. `last_key` is JSON. */
export type CopyProgressRow = { name: string; source: string | null; last_key: string | null; finished: number };

export type SessionRow = {
  id_hash: string;
  data: string;
  created_at: number;
  seen_at: number;
  /** The user who signed in with the form or by single sign-on. `admin` and `viewer` used a shared password. */
  person: string | null;
  address: string | null;
  agent: string | null;
};

export type SignInRow = { door: "people" | "senders" | "audit"; key: string; failures: number; until: number };

/** Generated secrets, stored as hashes or keys. */
export type SecretRow = { name: string; value: string; created_at: number };

/** `detail` is JSON. For an edit, it lists the changed fields. */
export type AuditRow = {
  id: Generated<number>;
  at: number;
  actor: string;
  action: string;
  subject: string;
  detail: string;
  /** The kind of actor. Null for entries written by earlier versions. */
  kind: "person" | "token" | "sender" | "command" | "open" | null;
  address: string | null;
};

/** A record's searchable words, each preceded by a space. `code` is empty for a property. */
export type SearchTextRow = { kind: "property" | "category" | "plan"; property: string; code: string; words: string };

export type PruningTimeRow = { name: string; reached_at: number; seen_at: number };
