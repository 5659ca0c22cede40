import type { Delivery } from "../../../webhooks/delivery-store.ts";
import type { Webhook } from "../../../webhooks/store.ts";
import { webhookState } from "./list-page.ts";

export function webhookJson(webhook: Webhook) {
  const { id, name, url, properties = null, kinds = null, alerts, cursor, createdBy, disabledReason = null } = webhook;
  return {
    ...{ id, name, url, properties, kinds, alerts, state: webhookState(webhook), disabledReason, cursor, createdBy },
    createdAt: time(webhook.createdAt),
    lastDeliveredAt: time(webhook.deliveredAt),
    failingSince: time(webhook.failingSince),
    disabledAt: time(webhook.disabledAt),
    previousSecretUntil: time(webhook.oldUntil),
  };
}

export function deliveryJson({ id, event, type, body, state, attempts, status, answer, duration, ...times }: Delivery) {
  return {
    ...{ id, event, type, payload: JSON.parse(body) as unknown, state, attempts, status, answer, durationMs: duration },
    createdAt: time(times.created_at),
    lastAttemptAt: time(times.attempted_at),
    nextAttemptAt: time(times.next_at),
  };
}

function time(at: number | undefined | null): string | null {
  return at === undefined || at === null ? null : new Date(at).toISOString();
}
