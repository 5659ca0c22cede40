import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "../db/database.ts";
import type { Tables } from "../db/schema.ts";
import { deleteByKey, runStatements } from "../db/statements.ts";
import { type By, createAudit } from "../records/audit.ts";
import { outboxStatements } from "../records/outbox.ts";
import { referenceRemovals } from "../records/property/references.ts";
import { propertySubject } from "../records/property/store.ts";
import { sequenceChanges } from "./feed/sequence.ts";
import { listIds, REMOVAL_LOCK } from "./removal.ts";

const MESSAGES_PER_BATCH = 500;

/**
 * Deletes an archived property and everything stored for it, except the audit log. The records and nights are deleted in one transaction,
 * and the messages afterwards. If the process stops in between, `finishDeletions` deletes the rest. Returns false if there is no such
 * archived property.
 */
export async function deleteProperty(database: Database, code: string, by: By): Promise<boolean> {
  const isDeleted = await database.edit(code, (db) => deleteRecords(db, code, by));
  if (isDeleted) await deleteHistory(database, { code, until: by.at });
  return isDeleted;
}

/** Deletes the messages left behind by interrupted deletions. `since` (milliseconds since 1970) is the earliest deletion to consider. */
export async function finishDeletions(database: Database, since: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  for (const { subject, at } of await listDeletions(database, since)) {
    signal?.throwIfAborted();
    await deleteHistory(database, { code: subject.slice(propertySubject("").length), until: at });
  }
}

function listDeletions({ read }: Database, since: number): Promise<{ subject: string; at: number }[]> {
  return read
    .selectFrom("audit")
    .select(["subject", "at"])
    .where("at", ">=", since)
    .where("action", "=", "delete")
    .where("subject", "like", `${propertySubject("")}%`)
    .execute();
}

/** A new property with the same code has only messages and changes after `until`. */
type DeletedProperty = { code: string; until: number };

async function deleteHistory(database: Database, { code, until }: DeletedProperty): Promise<void> {
  const newestMessage = await database.read
    .selectFrom("message")
    .select(({ fn }) => fn.max<number | null>("id").as("id"))
    .where("property", "=", code)
    .where("received_at", "<=", until)
    .executeTakeFirst();
  const newestId = newestMessage?.id ?? 0;
  // Gives all changes of the property a position, so that none is added to the feed later.
  await sequenceChanges(database);
  await clearChanges(database, { code, until, upTo: newestId });
  while (await deleteMessages(database, { code, upTo: newestId })) await nextTurn();
  await database.write.deleteFrom("past_message").where("property", "=", code).where("received_at", "<=", until).execute();
}

/** Turns earlier changes in the feed into changes to the property's record, because their nights are gone. */
async function clearChanges({ write }: Database, { code, until, upTo: newestId }: DeletedProperty & { upTo: number }): Promise<void> {
  await write
    .updateTable("change")
    .set({ kind: "record", message: null, category: null, plan: null })
    .where("property", "=", code)
    .where((is) => is.or([is("message", "<=", newestId), is.and([is("message", "is", null), is("at", "<=", until)])]))
    .where((is) => is.or([is("message", "is not", null), is("category", "is not", null), is("plan", "is not", null)]))
    .execute();
}

async function deleteMessages(database: Database, { code, upTo: newestId }: { code: string; upTo: number }): Promise<boolean> {
  const sql = `select id from message where property = ? and id <= ? limit ${MESSAGES_PER_BATCH}`;
  return database.commit({
    lock: REMOVAL_LOCK,
    read: [{ sql, values: [code, newestId] }],
    decide([rows]) {
      const ids = listIds(rows!);
      const write = [["message_body", "message"] as const, ["night_undo", "message"] as const, ["message", "id"] as const];
      return { write: write.flatMap(([table, column]) => deleteByKey(table, column, ids)), result: ids.length > 0 };
    },
  });
}

/** Tables with a property column, in an order that satisfies the foreign keys. */
const PROPERTY_TABLES = [
  "inventory_page",
  "rate_page",
  "night_summary",
  "property_activity",
  "search_text",
  "rate_plan",
  "category",
] as const;

async function deleteRecords(db: Kysely<Tables>, code: string, by: By): Promise<boolean> {
  const property = await db
    .selectFrom("property")
    .select(["name"])
    .where("code", "=", code)
    .where("status", "=", "archived")
    .executeTakeFirst();
  if (!property) return false;
  for (const table of PROPERTY_TABLES) await db.deleteFrom(table).where("property", "=", code).execute();
  await auditConnections(db, code, by);
  await runStatements(db, referenceRemovals(code));
  await db.deleteFrom("property").where("code", "=", code).execute();
  const changes = [{ field: "name", from: property.name, to: "" }];
  await createAudit(db, { ...by, action: "delete", subject: propertySubject(code), changes });
  await runStatements(db, outboxStatements([{ kind: "record", property: code, at: by.at }]));
  return true;
}

/** Records which connections lose access to the property. */
async function auditConnections(db: Kysely<Tables>, code: string, by: By): Promise<void> {
  for (const { name, hotels } of await db.selectFrom("sender").select(["name", "hotels"]).where("hotels", "is not", null).execute()) {
    const before = JSON.parse(hotels!) as string[];
    const remainingProperties = before.filter((one) => one !== code);
    if (remainingProperties.length === before.length) continue;
    const changes = [{ field: "properties", from: before.join(", "), to: remainingProperties.join(", ") }];
    await createAudit(db, { ...by, action: "narrow", subject: `sender:${name}`, changes });
  }
}
