import type { Generated } from "kysely";

/**
 * A subscription to the change feed. `properties` and `kinds` are JSON lists; null means all. Deliveries exist for changes up to
 * `feed_cursor`. `failing_since` is the first failure since the last success.
 */
export type WebhookRow = {
  id: Generated<number>;
  name: string;
  url: string;
  secret: string;
  /** The secret before the last rotation. Deliveries are also signed with it until `old_until`. */
  old_secret: string | null;
  old_until: number | null;
  properties: string | null;
  kinds: string | null;
  /** 1 if alerts are also sent to this webhook. */
  alerts: Generated<number>;
  feed_cursor: string;
  created_by: string;
  created_at: number;
  delivered_at: number | null;
  failing_since: number | null;
  disabled_at: number | null;
  /** Why the service disabled the webhook. Null if a user disabled it. */
  disabled_reason: string | null;
};

/**
 * `event` is the `webhook-id`. `first_at` is the time of the first attempt. A pending delivery is due at `next_at`; a process that starts
 * sending it moves `next_at` past the time limit. The last attempt was at `attempted_at`; `duration` is in milliseconds.
 */
export type WebhookDeliveryRow = {
  id: Generated<number>;
  webhook: number;
  event: string;
  type: string;
  body: string;
  created_at: number;
  state: "pending" | "delivered" | "failed";
  attempts: number;
  first_at: number;
  next_at: number | null;
  attempted_at: number | null;
  status: number | null;
  answer: string | null;
  duration: number | null;
};
