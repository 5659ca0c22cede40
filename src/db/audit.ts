import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** A field before and after; empty text is nothing. */
export type FieldChange = { field: string; from: string; to: string };

/** Who did what to which record. `subject` is like `property:A1` or `category:A1/DBL`. */
export type AuditEntry = { at: number; actor: string; action: string; subject: string; changes: readonly FieldChange[] };

/** The fields that differ, in the order of `after`. */
export function changesBetween(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): FieldChange[] {
  return Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field] ?? "", to }))
    .filter(({ from, to }) => from !== to);
}

/** Writes an entry; `db` is the transaction in which the record itself is written. */
export async function createAudit(db: Kysely<Tables>, { at, actor, action, subject, changes }: AuditEntry): Promise<void> {
  await db
    .insertInto("audit")
    .values({ at, actor, action, subject, detail: JSON.stringify({ changes }) })
    .execute();
}

/** The newest entries of a record, newest first. */
export async function listAudit(database: Database, subject: string, limit = 20): Promise<AuditEntry[]> {
  const rows = await database.read
    .selectFrom("audit")
    .selectAll()
    .where("subject", "=", subject)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ at, actor, action, detail }) => ({ at, actor, action, subject, changes: readChanges(detail) }));
}

function readChanges(detail: string): FieldChange[] {
  const { changes } = JSON.parse(detail) as { changes?: FieldChange[] };
  return changes ?? [];
}
