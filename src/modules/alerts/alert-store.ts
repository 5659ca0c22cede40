import type { Selectable } from "kysely";
import { DAY_MS } from "../../calendar/night.ts";
import type { AlertRow } from "../../db/alert-rows.ts";
import type { Database } from "../../db/database.ts";
import { type By, createAudit } from "../../records/audit.ts";
import { addAlert } from "../../webhooks/delivery-store.ts";
import { type AlertRule, describeRule } from "./rules.ts";

export type Alert = Selectable<AlertRow>;

const REPEAT_INTERVAL_MS = DAY_MS;
const MAX_CLOSED_ALERTS = 20;

/** Opens, updates or closes a rule's alert. `text` describes the finding; undefined closes the alert. */
export async function storeFinding(
  { write }: Database,
  rule: number,
  { text, at }: { text: string | undefined; at: number },
): Promise<void> {
  if (text === undefined) {
    await write.updateTable("alert").set({ closed_at: at }).where("rule", "=", rule).where("closed_at", "is", null).execute();
    return;
  }
  const openAlert = await write
    .updateTable("alert")
    .set({ text })
    .where("rule", "=", rule)
    .where("closed_at", "is", null)
    .executeTakeFirstOrThrow();
  if (openAlert.numUpdatedRows === 0n) await write.insertInto("alert").values({ rule, text, opened_at: at }).execute();
}

export async function listOpenAlerts({ read }: Database): Promise<Alert[]> {
  return openAlerts(read).orderBy("opened_at").orderBy("id").execute();
}

/** Selects open alerts. Skips those of deleted rules, because a check may have opened one while the rule was being deleted. */
function openAlerts(read: Database["read"]) {
  return read
    .selectFrom("alert")
    .selectAll()
    .where("closed_at", "is", null)
    .where("rule", "in", (of) => of.selectFrom("alert_rule").select("id"));
}

/** Lists recently closed alerts, newest first. */
export async function listClosedAlerts({ read }: Database): Promise<Alert[]> {
  return read.selectFrom("alert").selectAll().where("closed_at", "is not", null).orderBy("id", "desc").limit(MAX_CLOSED_ALERTS).execute();
}

/** Lists open alerts to send now: not muted, and not sent within the last day. */
export async function listDueAlerts({ read }: Database, sentColumn: "posted_at" | "mailed_at", now: number): Promise<Alert[]> {
  return openAlerts(read)
    .where((of) => of.or([of("muted_until", "is", null), of("muted_until", "<=", now)]))
    .where((of) => of.or([of(sentColumn, "is", null), of(sentColumn, "<=", now - REPEAT_INTERVAL_MS)]))
    .orderBy("id")
    .execute();
}

/** Queues deliveries to the webhooks that receive alerts. `url` is the URL of the alerts page, if known. */
export async function postAlert(
  database: Database,
  { alert, rule, url, at }: { alert: Alert; rule: AlertRule; url: string | undefined; at: number },
): Promise<void> {
  const data = {
    id: alert.id,
    rule: describeRule(rule),
    text: alert.text,
    openedAt: new Date(alert.opened_at).toISOString(),
    url: url ?? null,
  };
  await database.write.transaction().execute(async (db) => {
    const isPosted = await addAlert(db, { data, at });
    if (isPosted) await db.updateTable("alert").set({ posted_at: at }).where("id", "=", alert.id).execute();
  });
}

export async function markMailed({ write }: Database, ids: readonly number[], at: number): Promise<void> {
  await write.updateTable("alert").set({ mailed_at: at }).where("id", "in", ids).execute();
}

/** Mutes an alert, or unmutes it if `until` is undefined. Returns false if the alert isn't open. */
export async function muteAlert(database: Database, { id, until }: { id: number; until: number | undefined }, by: By): Promise<boolean> {
  return database.write.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable("alert")
      .set({ muted_until: until ?? null })
      .where("id", "=", id)
      .where("closed_at", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) return false;
    const changes = [{ field: "muted until", from: "", to: until === undefined ? "" : new Date(until).toISOString() }];
    await createAudit(db, { ...by, action: until === undefined ? "unmute" : "mute", subject: `alert:${id}`, changes });
    return true;
  });
}
