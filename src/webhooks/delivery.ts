import { DAY_MS, HOUR_MS } from "../calendar/night.ts";
import { type Clock, stopwatch } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { claimJob } from "../db/jobs.ts";
import { type Cursor, formatCursor, parseCursor } from "../journal/feed/cursor.ts";
import { ExpiredCursorError, findTipCursor, readChanges } from "../journal/feed/store.ts";
import type { AddressRule } from "../outgoing/addresses.ts";
import { type CallResponse, postSigned } from "../outgoing/post.ts";
import { errorMessage } from "../web/http-error.ts";
import {
  addChanges,
  type DeliveryAttempt,
  claimDue,
  type ClaimedDelivery,
  findWaiting,
  rescheduleDelivery,
  skipChanges,
  storeAttempt,
  disableFailing,
} from "./delivery-store.ts";
import { findWebhook, listWebhooks, type Webhook } from "./store.ts";

export const REQUEST_TIMEOUT_MS = 10_000;
/** If a delivery is not finished within this time, another process sends it again. */
const CLAIM_LEASE_MS = REQUEST_TIMEOUT_MS + 5_000;
const COLLECT_INTERVAL_MS = 1_000;
const MAX_CONCURRENT_DELIVERIES = 20;
const GONE_STATUS = 410;
const MAX_RESPONSE_LENGTH = 500;

/** Delays after the first, second and later failures. The last delay is repeated. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS];
const MAX_RETRY_PERIOD_MS = 3 * DAY_MS;
const DISABLE_AFTER_MS = 7 * DAY_MS;

export type DeliveryOptions = {
  database: Database;
  clock: Clock;
  rule: AddressRule;
  log: { warn(facts: object, message: string): void };
};

/** Delivers webhooks. Can run in all processes. */
export class WebhookDelivery {
  readonly #options: DeliveryOptions;
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Collects changes and starts due deliveries. Doesn't wait for responses. */
  async run(): Promise<void> {
    await collectChanges(this.#options);
    const limit = MAX_CONCURRENT_DELIVERIES - this.#inFlight.size;
    if (limit === 0 || this.#stop.signal.aborted) return;
    const { database, clock } = this.#options;
    for (const delivery of await claimDue(database, { now: clock.now(), leaseMs: CLAIM_LEASE_MS, limit })) {
      const sendPromise = this.#send(delivery)
        .catch((error: unknown) => this.#warn(delivery, error))
        .finally(() => this.#inFlight.delete(sendPromise));
      this.#inFlight.add(sendPromise);
    }
  }

  /** Resolves when no delivery is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** Aborts deliveries in progress. They are sent again by another process or after a restart. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.idle();
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { database, clock } = this.#options;
    const elapsed = stopwatch();
    const at = clock.now();
    const answer = await this.#post(delivery, at);
    if (this.#stop.signal.aborted && "error" in answer) {
      await rescheduleDelivery(database, delivery, at);
      return;
    }
    const attempt = toAttempt(delivery, answer, { at, duration: Math.round(elapsed()) });
    await storeAttempt(database, delivery, attempt);
    if (!attempt.ok) await this.#switchOffIfDue(delivery, attempt);
  }

  async #post({ event, body, url, secrets }: ClaimedDelivery, at: number): Promise<CallResponse | { error: string }> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = AbortSignal.any([this.#stop.signal, timeout]);
    try {
      return await postSigned({ url: new URL(url), secrets, rule: this.#options.rule }, { id: event, at, body, signal });
    } catch (error) {
      return { error: timeout.aborted ? `no response within ${REQUEST_TIMEOUT_MS / 1000} seconds` : errorMessage(error) };
    }
  }

  async #switchOffIfDue(delivery: ClaimedDelivery, { at, status }: DeliveryAttempt): Promise<void> {
    const { database } = this.#options;
    const failingSince = (await findWebhook(database, delivery.webhook))?.failingSince ?? at;
    const reason = status === GONE_STATUS ? "The receiver responded with 410 Gone." : "Deliveries failed for a week.";
    if (status !== GONE_STATUS && at - failingSince < DISABLE_AFTER_MS) return;
    await disableFailing(database, delivery.webhook, { at, reason });
    this.#warn(delivery, `the webhook was disabled. ${reason}`);
  }

  #warn({ webhook, event }: ClaimedDelivery, error: unknown): void {
    this.#options.log.warn({ webhook, event }, `webhook failed: ${errorMessage(error)}`);
  }
}

function toAttempt(
  delivery: ClaimedDelivery,
  sent: CallResponse | { error: string },
  timing: { at: number; duration: number },
): DeliveryAttempt {
  if ("error" in sent) return { ...timing, ok: false, status: undefined, answer: sent.error, retryAt: retryTime(delivery, timing.at) };
  const { status, text } = sent;
  const ok = status >= 200 && status <= 299;
  return { ...timing, ok, status, answer: text.slice(0, MAX_RESPONSE_LENGTH), retryAt: retryTime(delivery, timing.at) };
}

/** Returns undefined if there is no retry: for a test event, which is sent only once, and once `MAX_RETRY_PERIOD_MS` has passed. */
function retryTime({ type, attempts, first_at: firstAt }: ClaimedDelivery, now: number): number | undefined {
  const at = now + RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)]!;
  return type === "test" || at > firstAt + MAX_RETRY_PERIOD_MS ? undefined : at;
}

/** Adds a delivery for each webhook with new changes, at most once a second. */
async function collectChanges({ database, clock }: DeliveryOptions): Promise<void> {
  const waitingWebhooks = await findWaiting(database);
  if (waitingWebhooks.size === 0) return;
  const tip = await findTipCursor(database);
  const tipCursor = formatCursor(tip);
  const webhooksBehind = (await listWebhooks(database)).filter(({ id, cursor }) => waitingWebhooks.has(id) && cursor !== tipCursor);
  if (webhooksBehind.length === 0) return;
  if (!(await claimJob(database, { name: "webhooks", everyMs: COLLECT_INTERVAL_MS }, clock.now()))) return;
  for (const webhook of webhooksBehind) {
    if (await hasChanges(database, webhook, tip)) await addChanges(database, webhook, { next: tipCursor, at: clock.now() });
    else await skipChanges(database, webhook, tipCursor);
  }
}

/**
 * Returns whether changes before `tip` match the webhook's filters. Also returns true if changes were deleted, because the receiver must
 * then load a new snapshot.
 */
async function hasChanges(database: Database, webhook: Webhook, tip: Cursor): Promise<boolean> {
  const limit = webhook.kinds ? 100 : 1;
  let after = parseCursor(webhook.cursor);
  try {
    for (;;) {
      if (!after) return true;
      const page = await readChanges(database, webhook, { after, tip: tip.position - 1, limit });
      if (page.changes.length > 0) return true;
      if (page.isLast) return false;
      after = page.next;
    }
  } catch (error) {
    if (error instanceof ExpiredCursorError) return true;
    throw error;
  }
}
