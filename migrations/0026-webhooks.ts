/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; bytewise: string; serial: string; strict: string };

/** Subscriptions to the change feed. `feed_cursor` is the end of the last delivery, so that no change is left out. */
export const up = (t: Types): string[] => [
  `create table webhook (
    id ${t.serial}, name ${t.bytewise} not null unique, url text not null, secret text not null, old_secret text, old_until ${t.integer},
    properties text, kinds text, feed_cursor text not null, created_by ${t.bytewise} not null, created_at ${t.integer} not null,
    delivered_at ${t.integer}, failing_since ${t.integer}, disabled_at ${t.integer}, disabled_reason text
  )${t.strict}`,
  `create table webhook_delivery (
    id ${t.serial}, webhook ${t.integer} not null, event text not null unique, type text not null, body text not null,
    created_at ${t.integer} not null, state text not null, attempts ${t.integer} not null, first_at ${t.integer} not null,
    next_at ${t.integer}, attempted_at ${t.integer}, status ${t.integer}, answer text, duration ${t.integer}
  )${t.strict}`,
  `create index webhook_delivery_webhook on webhook_delivery (webhook, id)`,
  `create index webhook_delivery_next on webhook_delivery (next_at) where next_at is not null`,
];
