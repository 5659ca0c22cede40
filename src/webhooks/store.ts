import type { Selectable } from "kysely";
import type { Database } from "../db/database.ts";
import type { WebhookRow } from "../db/webhook-rows.ts";
import { formatCursor } from "../journal/feed/cursor.ts";
import { CHANGE_KINDS, type ChangeKind, type FeedFilter, findTipCursor } from "../journal/feed/store.ts";
import { newWebhookSecret } from "../outgoing/signature.ts";
import { type By, changesBetween, createAudit } from "../records/audit.ts";

/** A subscription to the change feed. It counts as failing since the first failure after its last success. */
export type Webhook = WebhookFields & {
  id: number;
  /** The cursor at which the next delivery starts. */
  cursor: string;
  oldUntil: number | undefined;
  createdBy: string;
  createdAt: number;
  deliveredAt: number | undefined;
  failingSince: number | undefined;
  disabledAt: number | undefined;
  disabledReason: string | undefined;
};

/** If `alerts` is true, alerts are also sent. */
export type WebhookFields = FeedFilter & { name: string; url: string; alerts: boolean };

const WEBHOOKS_LOCK = "roomrack: webhooks";
const AUDITED_FIELDS = ["name", "url", "properties", "kinds", "alerts"] as const;

export const webhookSubject = (name: string) => `webhook:${name}`;

/** Creates a webhook and returns its secret, or undefined if the name is taken. Deliveries start with the next change. */
export async function createWebhook(
  database: Database,
  fields: WebhookFields,
  by: By,
): Promise<{ id: number; secret: string } | undefined> {
  const secret = newWebhookSecret();
  const cursor = formatCursor(await findTipCursor(database));
  return database.edit(WEBHOOKS_LOCK, async (db) => {
    if (await db.selectFrom("webhook").select("id").where("name", "=", fields.name).executeTakeFirst()) return undefined;
    const { id } = await db
      .insertInto("webhook")
      .values({ ...toColumns(fields), secret, feed_cursor: cursor, created_by: by.actor, created_at: by.at })
      .returning("id")
      .executeTakeFirstOrThrow();
    const changes = changesBetween(undefined, auditedFields(fields), AUDITED_FIELDS);
    await createAudit(db, { ...by, action: "create", subject: webhookSubject(fields.name), changes });
    return { id, secret };
  });
}

type WebhookChange = { before: Webhook; after: WebhookFields };

/** Changes a webhook. Returns false if the name is taken by a different webhook. */
export async function changeWebhook(database: Database, { before, after }: WebhookChange, by: By): Promise<boolean> {
  return database.edit(WEBHOOKS_LOCK, async (db) => {
    const webhookWithSameName = await db
      .selectFrom("webhook")
      .select("id")
      .where("name", "=", after.name)
      .where("id", "!=", before.id)
      .executeTakeFirst();
    if (webhookWithSameName) return false;
    await db.updateTable("webhook").set(toColumns(after)).where("id", "=", before.id).execute();
    const changes = changesBetween(auditedFields(before), auditedFields(after), AUDITED_FIELDS);
    await createAudit(db, { ...by, action: "edit", subject: webhookSubject(before.name), changes });
    return true;
  });
}

type SecretRotation = Pick<Webhook, "id" | "name" | "oldUntil">;

/** Replaces a webhook's secret and returns the new one. Deliveries are also signed with the old secret until `oldUntil`. */
export async function rotateWebhook(database: Database, { id, name, oldUntil }: SecretRotation, by: By): Promise<string> {
  const secret = newWebhookSecret();
  await database.edit(WEBHOOKS_LOCK, async (db) => {
    await db
      .updateTable("webhook")
      .set(({ ref }) => ({ secret, old_secret: ref("secret"), old_until: oldUntil ?? null }))
      .where("id", "=", id)
      .execute();
    await createAudit(db, { ...by, action: "rotate", subject: webhookSubject(name), changes: [] });
  });
  return secret;
}

export async function disableWebhook(database: Database, { id, name }: Webhook, by: By): Promise<void> {
  await database.edit(WEBHOOKS_LOCK, async (db) => {
    await db.updateTable("webhook").set({ disabled_at: by.at, disabled_reason: null }).where("id", "=", id).execute();
    await createAudit(db, { ...by, action: "disable", subject: webhookSubject(name), changes: [] });
  });
}

/** Enables a webhook. Its next delivery covers all changes since the last successful delivery. */
export async function enableWebhook(database: Database, { id, name }: Webhook, by: By): Promise<void> {
  await database.edit(WEBHOOKS_LOCK, async (db) => {
    const enabledColumns = { disabled_at: null, disabled_reason: null, failing_since: null };
    await db.updateTable("webhook").set(enabledColumns).where("id", "=", id).execute();
    await createAudit(db, { ...by, action: "enable", subject: webhookSubject(name), changes: [] });
  });
}

export async function deleteWebhook(database: Database, { id, name }: Webhook, by: By): Promise<void> {
  await database.edit(WEBHOOKS_LOCK, async (db) => {
    await db.deleteFrom("webhook_delivery").where("webhook", "=", id).execute();
    await db.deleteFrom("webhook").where("id", "=", id).execute();
    await createAudit(db, { ...by, action: "delete", subject: webhookSubject(name), changes: [] });
  });
}

export async function listWebhooks({ read }: Database): Promise<Webhook[]> {
  return (await read.selectFrom("webhook").selectAll().orderBy("name").execute()).map(toWebhook);
}

export async function findWebhook({ read }: Database, id: number): Promise<Webhook | undefined> {
  const row = await read.selectFrom("webhook").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toWebhook(row);
}

function auditedFields({ name, url, properties, kinds, alerts }: WebhookFields) {
  return { name, url, alerts, properties: properties?.join(", ") ?? "all", kinds: kinds?.join(", ") ?? "all" };
}

function toColumns({ name, url, properties, kinds, alerts }: WebhookFields) {
  return {
    ...{ name, url, alerts: alerts ? 1 : 0 },
    properties: properties ? JSON.stringify(properties) : null,
    kinds: kinds ? JSON.stringify(kinds) : null,
  };
}

function toWebhook(row: Selectable<WebhookRow>): Webhook {
  const kinds = row.kinds === null ? undefined : (JSON.parse(row.kinds) as ChangeKind[]);
  return {
    ...{ id: row.id, name: row.name, url: row.url, cursor: row.feed_cursor, alerts: row.alerts === 1 },
    properties: row.properties === null ? undefined : (JSON.parse(row.properties) as string[]),
    kinds: kinds && CHANGE_KINDS.filter((kind) => kinds.includes(kind)),
    oldUntil: row.old_until ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: row.disabled_reason ?? undefined,
  };
}
