import type { Kysely, Selectable } from "kysely";
import type { Database, Statement } from "../db/database.ts";
import type { Tables } from "../db/schema.ts";
import { runStatements } from "../db/statements.ts";
import { fieldText } from "../text.ts";

/** A field before and after; empty text means none. */
export type FieldChange = { field: string; from: string; to: string };

/** What was done to which record. `subject` is like `property:A1` or `category:A1/DBL`. */
export type RecordChange = { action: string; subject: string; changes: readonly FieldChange[] };

/** Who did it, and when; `message` is the id of the message that did. */
export type AuditEntry = RecordChange & { at: number; actor: string; message?: number | undefined };

/** An entry as it is kept; `message` is undefined, too, when the message is kept no longer. */
export type KeptEntry = AuditEntry & { id: number };

/** The fields that differ; `before` is undefined for a new record. */
export function changesBetween<Name extends string>(
  before: FieldValues<Name> | undefined,
  after: FieldValues<Name>,
  fields: readonly Name[],
): FieldChange[] {
  return fields
    .map((field) => ({ field, from: fieldText(before?.[field]), to: fieldText(after[field]) }))
    .filter(({ from, to }) => from !== to);
}

type FieldValues<Name extends string> = Readonly<Record<Name, string | number | boolean | undefined>>;

/** Writes an entry; `db` is the transaction in which the record itself is written. */
export async function createAudit(db: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  await runStatements(db, [auditStatement(entry)]);
}

/** Writes an entry in the batch in which the record itself is written. */
export function auditStatement({ at, actor, action, subject, changes, message }: AuditEntry): Statement {
  return { sql: INSERT, values: [at, actor, action, subject, JSON.stringify({ changes, message })] };
}

const INSERT = "insert into audit (at, actor, action, subject, detail) values (?, ?, ?, ?, ?)";

/** The newest entries of a record, newest first. */
export async function listAudit(database: Database, subject: string, limit = 20): Promise<KeptEntry[]> {
  const rows = await database.read
    .selectFrom("audit")
    .selectAll()
    .where("subject", "=", subject)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return withoutGone(database, rows.map(toEntry));
}

/** An entry of this record by its id; undefined when there is none. */
export async function findAudit(database: Database, subject: string, id: number): Promise<KeptEntry | undefined> {
  const row = await database.read.selectFrom("audit").selectAll().where("id", "=", id).where("subject", "=", subject).executeTakeFirst();
  return row && toEntry(row);
}

/** Names no message that cannot be looked at any more. */
async function withoutGone({ read }: Database, entries: readonly KeptEntry[]): Promise<KeptEntry[]> {
  const named = entries.flatMap(({ message }) => message ?? []);
  const found = named.length === 0 ? [] : await read.selectFrom("message").select("id").where("id", "in", named).execute();
  const kept = new Set(found.map(({ id }) => id));
  return entries.map((entry) => ({ ...entry, message: kept.has(entry.message!) ? entry.message : undefined }));
}

function toEntry({ detail, ...row }: Selectable<Tables["audit"]>): KeptEntry {
  const { changes = [], message } = JSON.parse(detail) as Partial<KeptEntry>;
  return { ...row, changes, message };
}
