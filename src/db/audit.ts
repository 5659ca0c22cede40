import type { Kysely, Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** A field before and after; empty text means none. */
export type FieldChange = { field: string; from: string; to: string };

/** Who did what to which record. `subject` is like `property:A1` or `category:A1/DBL`. */
export type AuditEntry = { at: number; actor: string; action: string; subject: string; changes: readonly FieldChange[] };

/** An entry as it is kept. */
export type KeptEntry = AuditEntry & { id: number };

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
export async function listAudit(database: Database, subject: string, limit = 20): Promise<KeptEntry[]> {
  const rows = await database.read
    .selectFrom("audit")
    .selectAll()
    .where("subject", "=", subject)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** An entry of this record by its id; undefined when there is none. */
export async function findAudit(database: Database, subject: string, id: number): Promise<KeptEntry | undefined> {
  const row = await database.read.selectFrom("audit").selectAll().where("id", "=", id).where("subject", "=", subject).executeTakeFirst();
  return row && toEntry(row);
}

function toEntry({ detail, ...row }: Selectable<Tables["audit"]>): KeptEntry {
  return { ...row, changes: readChanges(detail) };
}

function readChanges(detail: string): FieldChange[] {
  const { changes } = JSON.parse(detail) as { changes?: FieldChange[] };
  return changes ?? [];
}
