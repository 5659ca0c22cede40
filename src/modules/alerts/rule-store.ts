import type { Database } from "../../db/database.ts";
import { type By, createAudit } from "../../records/audit.ts";
import { type AlertRule, describeRule, isRuleKind, type RuleFields } from "./rules.ts";

export const ruleSubject = (id: number) => `alert-rule:${id}`;

export async function createRule(database: Database, rule: RuleFields, by: By): Promise<number> {
  return database.write.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto("alert_rule")
      .values({
        kind: rule.kind,
        limit_value: rule.limit,
        property: rule.property ?? null,
        group_name: rule.group ?? null,
        created_by: by.actor,
        created_at: by.at,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const changes = [{ field: "rule", from: "", to: describeRule(rule) }];
    await createAudit(db, { ...by, action: "create", subject: ruleSubject(id), changes });
    return id;
  });
}

/** Deletes a rule and its alerts. Returns false if it doesn't exist. */
export async function deleteRule(database: Database, id: number, by: By): Promise<boolean> {
  return database.write.transaction().execute(async (db) => {
    const { numDeletedRows } = await db.deleteFrom("alert_rule").where("id", "=", id).executeTakeFirstOrThrow();
    if (numDeletedRows !== 1n) return false;
    await db.deleteFrom("alert").where("rule", "=", id).execute();
    await createAudit(db, { ...by, action: "delete", subject: ruleSubject(id), changes: [] });
    return true;
  });
}

export async function listRules({ read }: Database): Promise<AlertRule[]> {
  const rows = await read.selectFrom("alert_rule").selectAll().orderBy("id").execute();
  return rows.flatMap(({ id, kind, limit_value: limit, property, group_name: group, created_by: createdBy }) =>
    isRuleKind(kind) ? [{ id, kind, limit, property: property ?? undefined, group: group ?? undefined, createdBy }] : [],
  );
}
