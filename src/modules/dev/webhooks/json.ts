import type { Delivery } from "../../../webhooks/delivery-store.ts";
import type { Webhook } from "../../../webhooks/store.ts";
import { webhookState } from "./list-page.ts";

export function webhookJson(webhook: Webhook) {
  const { id, name, url, properties = null, kinds = null, alerts, cursor, createdBy, disabledReason = null } = webhook;
  return {
    ...{ id, name, url, properties, kinds, alerts, state: webhookState(webhook), disabledReason, cursor, createdBy },
    createdAt: formatTime(webhook.createdAt),
    lastDeliveredAt: formatTime(webhook.deliveredAt),
    failingSince: formatTime(webhook.failingSince),
    disabledAt: formatTime(webhook.disabledAt),
    previousSecretUntil: formatTime(webhook.oldUntil),
  };
}

export function deliveryJson({ id, event, type, body, state, attempts, status, answer, duration, ...times }: Delivery) {
  return {
    ...{ id, event, type, payload: JSON.parse(body) as unknown, state, attempts, status, answer, durationMs: duration },
    createdAt: formatTime(times.created_at),
    lastAttemptAt: formatTime(times.attempted_at),
    nextAttemptAt: formatTime(times.next_at),
  };
}

function formatTime(at: number | undefined | null): string | null {
  return at === undefined || at === null ? null : new Date(at).toISOString();
}
