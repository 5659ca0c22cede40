import { randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { HOUR_MS } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import type { Tables } from "../db/schema.ts";
import type { WebhookDeliveryRow } from "../db/webhook-rows.ts";
import { isBefore, parseCursor } from "../journal/feed/cursor.ts";
import { type By, createAudit } from "../records/audit.ts";
import { type Webhook, webhookSubject } from "./store.ts";

export type Delivery = Selectable<WebhookDeliveryRow>;

/** A delivery that this process is sending. `claimedUntil` identifies the claim. */
export type ClaimedDelivery = Delivery & { url: string; secrets: readonly string[]; claimedUntil: number };

type NewDelivery = { webhook: number; type: string; body: string; at: number };

const CHANGES_TYPE = "changes";
/** Maximum time until a retry. A later time was stored while the clock was wrong. */
const MAX_RETRY_DELAY_MS = 2 * HOUR_MS;

/** Adds a delivery with all changes up to `next`, unless another process has already added it. */
export async function addChanges(database: Database, { id, cursor }: Webhook, { next, at }: { next: string; at: number }): Promise<void> {
  const body = JSON.stringify({ type: CHANGES_TYPE, timestamp: new Date(at).toISOString(), data: { after: cursor, cursor: next } });
  await database.write.transaction().execute(async (db) => {
    if (await moveCursor(db, { id, from: cursor, to: next })) await insertDelivery(db, { webhook: id, type: CHANGES_TYPE, body, at });
  });
}

/** Moves the webhook's cursor past changes that its filters exclude. */
export async function skipChanges({ write }: Database, { id, cursor }: Webhook, next: string): Promise<void> {
  await moveCursor(write, { id, from: cursor, to: next });
}

async function moveCursor(db: Kysely<Tables>, { id, from, to }: { id: number; from: string; to: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhook")
    .set({ feed_cursor: to })
    .where("id", "=", id)
    .where("feed_cursor", "=", from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Returns webhooks that are waiting for changes: enabled, and without a pending delivery of earlier changes. */
export async function findWaiting({ read }: Database): Promise<ReadonlySet<number>> {
  const rows = await read
    .selectFrom("webhook")
    .select("id")
    .where("disabled_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_delivery")
            .select("id")
            .whereRef("webhook", "=", "webhook.id")
            .where("next_at", "is not", null)
            .where("type", "=", CHANGES_TYPE),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Adds a delivery to each enabled webhook that receives alerts. Returns whether there are any. */
export async function addAlert(db: Kysely<Tables>, { data, at }: { data: object; at: number }): Promise<boolean> {
  const body = JSON.stringify({ type: "alert", timestamp: new Date(at).toISOString(), data });
  const receivers = await db.selectFrom("webhook").select("id").where("alerts", "=", 1).where("disabled_at", "is", null).execute();
  for (const { id } of receivers) await insertDelivery(db, { webhook: id, type: "alert", body, at });
  return receivers.length > 0;
}

export async function addTest(database: Database, { id, name }: Webhook, by: By): Promise<void> {
  const body = JSON.stringify({ type: "test", timestamp: new Date(by.at).toISOString(), data: {} });
  await database.write.transaction().execute(async (db) => {
    await insertDelivery(db, { webhook: id, type: "test", body, at: by.at });
    await createAudit(db, { ...by, action: "test", subject: webhookSubject(name), changes: [] });
  });
}

async function insertDelivery(db: Kysely<Tables>, { webhook, type, body, at }: NewDelivery): Promise<void> {
  const times = { created_at: at, first_at: at, next_at: at };
  await db
    .insertInto("webhook_delivery")
    .values({ webhook, event: `msg_${randomUUID()}`, type, body, state: "pending", attempts: 0, ...times })
    .execute();
}

/** Resends a delivery with the same event ID. Returns false if it no longer exists. */
export async function resendDelivery(
  database: Database,
  { webhook, delivery }: { webhook: Webhook; delivery: number },
  by: By,
): Promise<boolean> {
  return database.write.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable("webhook_delivery")
      .set({ state: "pending", attempts: 0, first_at: by.at, next_at: by.at })
      .where("id", "=", delivery)
      .where("webhook", "=", webhook.id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) return false;
    const changes = [{ field: "delivery", from: "", to: String(delivery) }];
    await createAudit(db, { ...by, action: "send again", subject: webhookSubject(webhook.name), changes });
    return true;
  });
}

type Due = { now: number; leaseMs: number; limit: number };

/** Claims due deliveries of enabled webhooks by moving `next_at`, so that another process sends them if this process dies. */
export async function claimDue(database: Database, { now, leaseMs, limit }: Due): Promise<ClaimedDelivery[]> {
  const due = await database.read
    .selectFrom("webhook_delivery")
    .innerJoin("webhook", "webhook.id", "webhook")
    .selectAll("webhook_delivery")
    .select(["url", "secret", "old_secret", "old_until"])
    .where((of) => of.or([of("next_at", "<=", now), of("next_at", ">", now + MAX_RETRY_DELAY_MS)]))
    .where("disabled_at", "is", null)
    .orderBy("next_at")
    .limit(limit)
    .execute();
  const claimedDeliveries: ClaimedDelivery[] = [];
  for (const { secret, old_secret: old, old_until: until, ...delivery } of due) {
    const secrets = old !== null && until !== null && now < until ? [secret, old] : [secret];
    const claimedUntil = now + leaseMs;
    if (await rescheduleDelivery(database, { ...delivery, claimedUntil: delivery.next_at! }, claimedUntil))
      claimedDeliveries.push({ ...delivery, secrets, claimedUntil });
  }
  return claimedDeliveries;
}

/** Reschedules a delivery. Returns false if another process has claimed or changed it in the meantime. */
export async function rescheduleDelivery(
  { write }: Database,
  { id, claimedUntil }: { id: number; claimedUntil: number },
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("webhook_delivery")
    .set({ next_at: at })
    .where("id", "=", id)
    .where("next_at", "=", claimedUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** `retryAt` is undefined after the last attempt. */
export type DeliveryAttempt = {
  at: number;
  duration: number;
  status: number | undefined;
  answer: string;
  ok: boolean;
  retryAt: number | undefined;
};

/** Stores an attempt's result. If the claim has ended, changes nothing, so that results stored by another process are kept. */
export async function storeAttempt(database: Database, delivery: ClaimedDelivery, attempt: DeliveryAttempt): Promise<void> {
  const { at, ok, status, answer, duration, retryAt } = attempt;
  const nextAttempt = ok ? undefined : retryAt;
  const unsuccessfulState = nextAttempt === undefined ? "failed" : "pending";
  const state = ok ? "delivered" : unsuccessfulState;
  await database.write.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable("webhook_delivery")
      .set({ state, next_at: nextAttempt ?? null, attempts: delivery.attempts + 1 })
      .set({ attempted_at: at, status: status ?? null, answer, duration })
      .where("id", "=", delivery.id)
      .where("next_at", "=", delivery.claimedUntil)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n && state === "failed") await moveBack(db, delivery);
    if (ok) await db.updateTable("webhook").set({ delivered_at: at, failing_since: null }).where("id", "=", delivery.webhook).execute();
    else if (delivery.type !== "test") await recordFailure(db, delivery.webhook, at);
  });
}

async function recordFailure(db: Kysely<Tables>, webhook: number, at: number): Promise<void> {
  await db.updateTable("webhook").set({ failing_since: at }).where("id", "=", webhook).where("failing_since", "is", null).execute();
}

/** Moves the webhook's cursor back to the start of a failed delivery, so that its next delivery covers the same changes. */
async function moveBack(db: Kysely<Tables>, { webhook, type, body }: Pick<Delivery, "webhook" | "type" | "body">): Promise<void> {
  if (type !== CHANGES_TYPE) return;
  const { data } = JSON.parse(body) as { data: { after: string } };
  const { feed_cursor: cursor } = await db.selectFrom("webhook").select("feed_cursor").where("id", "=", webhook).executeTakeFirstOrThrow();
  if (isBefore(parseCursor(data.after)!, parseCursor(cursor)!)) await moveCursor(db, { id: webhook, from: cursor, to: data.after });
}

/** Disables a webhook and marks its pending deliveries as failed. If it is enabled again, its next delivery covers their changes. */
export async function disableFailing(database: Database, webhook: number, { at, reason }: { at: number; reason: string }): Promise<void> {
  await database.write.transaction().execute(async (db) => {
    await db
      .updateTable("webhook")
      .set({ disabled_at: at, disabled_reason: reason })
      .where("id", "=", webhook)
      .where("disabled_at", "is", null)
      .execute();
    const failedDelivery = await db
      .updateTable("webhook_delivery")
      .set({ state: "failed", next_at: null })
      .where("webhook", "=", webhook)
      .where("next_at", "is not", null)
      .returning(["webhook", "type", "body"])
      .execute();
    for (const delivery of failedDelivery) await moveBack(db, delivery);
  });
}

/** Returns the newest deliveries first. */
export async function listDeliveries({ read }: Database, webhook: number, { limit, before }: DeliveryPage): Promise<Delivery[]> {
  let query = read.selectFrom("webhook_delivery").selectAll().where("webhook", "=", webhook);
  if (before !== undefined) query = query.where("id", "<", before);
  return query.orderBy("id", "desc").limit(limit).execute();
}

type DeliveryPage = { limit: number; before: number | undefined };

const ROWS_PER_PRUNE = 1_000;

/** Deletes finished deliveries created before `since` in small steps. If the signal aborts, rejects after the current step. */
export async function pruneDeliveries({ read, write }: Database, since: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const old = await read
      .selectFrom("webhook_delivery")
      .select("id")
      .where("created_at", "<", since)
      .where("next_at", "is", null)
      .limit(ROWS_PER_PRUNE)
      .execute();
    if (old.length === 0) return;
    await write
      .deleteFrom("webhook_delivery")
      .where(
        "id",
        "in",
        old.map(({ id }) => id),
      )
      .execute();
  }
}
