import type { Database } from "../../db/database.ts";
import { claimJob } from "../../db/jobs.ts";
import { type Alert, listDueAlerts, markMailed, postAlert, storeFinding } from "./alert-store.ts";
import { checkRule } from "./findings.ts";
import { listRules } from "./rule-store.ts";
import { type AlertRule, describeRule } from "./rules.ts";

const CHECK_INTERVAL_MS = 60_000;

/** `url` is the URL of the alerts page, if known. */
export type AlertChecks = {
  database: Database;
  url: string | undefined;
  /** Sends an email. Undefined if email is not configured. */
  mail: ((subject: string, text: string) => Promise<void>) | undefined;
  /** Called if a rule can't be checked or an email can't be sent. */
  onError(error: unknown): Promise<void>;
};

/**
 * Checks all rules once a minute, in one process at a time, and sends due alerts. If the process dies, the next check continues, so an
 * alert is sent at least once. `now` is in milliseconds since 1970. Returns whether this process did the check.
 */
export async function checkAlerts(checks: AlertChecks, now: number): Promise<boolean> {
  const { database } = checks;
  const rules = await listRules(database);
  if (rules.length === 0 || !(await claimJob(database, { name: "alerts", everyMs: CHECK_INTERVAL_MS }, now))) return false;
  for (const rule of rules) {
    try {
      await storeFinding(database, rule.id, { text: await checkRule({ database, rule, now }), at: now });
    } catch (error) {
      await checks.onError(error);
    }
  }
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const alert of await listDueAlerts(database, "posted_at", now)) {
    const rule = byId.get(alert.rule);
    if (rule) await postAlert(database, { alert, rule, url: checks.url, at: now });
  }
  await mailDue(checks, byId, now);
  return true;
}

/** Sends all due alerts in one email. If this fails, sending is retried a minute later. */
async function mailDue({ database, mail, url, onError }: AlertChecks, rules: ReadonlyMap<number, AlertRule>, now: number): Promise<void> {
  const due = mail ? await listDueAlerts(database, "mailed_at", now) : [];
  if (!mail || due.length === 0) return;
  const [first] = due;
  const moreText = due.length === 1 ? "" : ` (and ${due.length - 1} more)`;
  const lines = due.map((alert) => mailText(alert, rules.get(alert.rule)));
  try {
    await mail(`Roomrack alert: ${first!.text}${moreText}`, [...lines, url ?? ""].join("\n\n"));
    await markMailed(
      database,
      due.map(({ id }) => id),
      now,
    );
  } catch (error) {
    await onError(error);
  }
}

function mailText({ text, opened_at: openedAt }: Alert, rule: AlertRule | undefined): string {
  const openedText = Temporal.Instant.fromEpochMilliseconds(openedAt).toString({ smallestUnit: "second" });
  return `${text}\nOpen since ${openedText}${rule ? `. Rule: ${describeRule(rule)}` : ""}.`;
}
