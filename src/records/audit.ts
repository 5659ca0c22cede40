import type { Kysely, Selectable } from "kysely";
import type { Database, Statement, SqlValue } from "../db/database.ts";
import { containsText } from "../db/listing.ts";
import type { AuditRow, Tables } from "../db/schema.ts";
import { type InsertTemplate, insertRows, runStatements } from "../db/statements.ts";
import { fieldText } from "../text.ts";

export type FieldChange = { field: string; from: string; to: string };

/** `subject` is a record, such as `property:A1` or `category:A1/DBL`. */
export type RecordChange = { action: string; subject: string; changes: readonly FieldChange[] };

/** Who made a change, from which address, and when. */
export type By = { at: number; actor: string; kind?: AuditRow["kind"] | undefined; address?: string | undefined };

/** `agent` is the `User-Agent` of a sign-in. */
export type AuditEntry = RecordChange & By & { message?: number | undefined; agent?: string | undefined };

export type StoredAuditEntry = AuditEntry & { id: number };

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

/** Stores an audit entry. Call it in the transaction that writes the record. */
export async function createAudit(db: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  await runStatements(db, [auditStatement(entry)]);
}

export function auditStatement(entry: AuditEntry): Statement {
  return auditStatements([entry])[0]!;
}

export function auditStatements(entries: readonly AuditEntry[]): Statement[] {
  return insertRows(INSERT_AUDIT, entries.map(auditValues));
}

function auditValues({ at, actor, kind, address, action, subject, ...detail }: AuditEntry): readonly SqlValue[] {
  const { changes, message, agent } = detail;
  return [at, actor, kind ?? null, address ?? null, action, subject, JSON.stringify({ changes, message, agent })];
}

const INSERT_AUDIT: InsertTemplate = {
  into: "insert into audit (at, actor, kind, address, action, subject, detail)",
  columns: 7,
  conflict: "",
};

export async function listAudit(database: Database, subject: string, limit = 20): Promise<StoredAuditEntry[]> {
  const rows = await database.read
    .selectFrom("audit")
    .selectAll()
    .where("subject", "=", subject)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return withoutPruned(database, rows.map(toEntry));
}

/** Lists the entries that created the record or set one of its fields to `value`, newest first. */
export async function listChangesTo({ read }: Database, subject: string, value: string): Promise<StoredAuditEntry[]> {
  const rows = await read
    .selectFrom("audit")
    .selectAll()
    .where("subject", "=", subject)
    .where((is) => is.or([is("action", "=", "create"), is("detail", "like", `%"to":${JSON.stringify(value)}%`)]))
    .orderBy("id", "desc")
    .execute();
  return rows.map(toEntry);
}

/** Times are in milliseconds since 1970, inclusive. `subject` matches any part. */
export type AuditFilters = {
  actor?: string | undefined;
  kind?: AuditRow["kind"] | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  before?: number | undefined;
  events?: AuditEvents | undefined;
};

export const SIGN_IN_EVENTS = {
  "sign-ins": ["sign in", "sign out"],
  "refused sign-ins": ["refused sign-in", "locked out"],
} as const;

/** `changes` includes all entries except sign-ins. */
export type AuditEvents = keyof typeof SIGN_IN_EVENTS | "changes";

/** Returns the newest entries first. */
export async function searchAudit({ read }: Pick<Database, "read">, filters: AuditFilters, limit: number): Promise<StoredAuditEntry[]> {
  const { actor, kind, action, subject, from, to, before, events } = filters;
  let query = read.selectFrom("audit").selectAll();
  if (actor !== undefined) query = query.where("actor", "=", actor);
  if (kind !== undefined && kind !== null) query = query.where("kind", "=", kind);
  if (action !== undefined) query = query.where("action", "=", action);
  if (events === "changes") query = query.where("action", "not in", Object.values(SIGN_IN_EVENTS).flat());
  else if (events !== undefined) query = query.where("action", "in", SIGN_IN_EVENTS[events]);
  if (subject !== undefined) query = query.where(containsText("subject", subject));
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<=", to);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(toEntry);
}

export async function findAudit(database: Database, subject: string, id: number): Promise<StoredAuditEntry | undefined> {
  const row = await database.read.selectFrom("audit").selectAll().where("id", "=", id).where("subject", "=", subject).executeTakeFirst();
  return row && toEntry(row);
}

/** Removes IDs of messages that are no longer in the log. */
async function withoutPruned({ read }: Database, entries: readonly StoredAuditEntry[]): Promise<StoredAuditEntry[]> {
  const messageIds = entries.flatMap(({ message }) => message ?? []);
  const loggedMessages =
    messageIds.length === 0 ? [] : await read.selectFrom("message").select("id").where("id", "in", messageIds).execute();
  const loggedIds = new Set(loggedMessages.map(({ id }) => id));
  return entries.map((entry) => ({ ...entry, message: loggedIds.has(entry.message!) ? entry.message : undefined }));
}

function toEntry({ detail, address, kind, ...row }: Selectable<AuditRow>): StoredAuditEntry {
  const { changes = [], message, agent } = JSON.parse(detail) as Partial<StoredAuditEntry>;
  return { ...row, kind: kind ?? undefined, address: address ?? undefined, changes, message, agent };
}

const PRUNE_BATCH = 1_000;

/** Deletes entries older than `since` in small steps. If the signal aborts, rejects after the current step. */
export async function pruneAudit({ read, write }: Database, since: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const old = await read.selectFrom("audit").select("id").where("at", "<", since).orderBy("at").limit(PRUNE_BATCH).execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await write.deleteFrom("audit").where("id", "in", ids).execute();
  }
}
