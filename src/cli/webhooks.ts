import type { ErrorRecorder } from "../web/error-handler.ts";
import { type DeliveryOptions, WebhookDelivery } from "../webhooks/delivery.ts";

const DELIVERY_INTERVAL_MS = 1_000;

/** Delivers webhooks in the background. The returned function aborts deliveries in progress; they are sent again after the next start. */
export function startWebhooks(options: DeliveryOptions, errors: ErrorRecorder): () => Promise<void> {
  const delivery = new WebhookDelivery(options);
  let current: Promise<unknown> | undefined;
  const run = () => {
    current ??= delivery
      .run()
      .catch((error: unknown) => errors.record(error, undefined))
      .finally(() => (current = undefined));
  };
  run();
  const timer = setInterval(run, DELIVERY_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await current;
    await delivery.close();
  };
}
