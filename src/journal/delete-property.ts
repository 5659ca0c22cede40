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
import { idsOf, REMOVAL_LOCK } from "./removal.ts";

const MESSAGE_BATCH = 500;

/**
 * Deletes an archived property and everything stored for it, except the audit log. Archived properties refuse messages, so none arrives
 * during the deletion. If the deletion is interrupted, the property stays archived and can be deleted again. Earlier entries in the change
 * feed become changes of the property's record, because their nights no longer exist. Returns false if no archived property has this code.
 */
export async function deleteProperty(database: Database, code: string, by: By): Promise<boolean> {
  const { read } = database;
  const found = await read
    .selectFrom("property")
    .select("code")
    .where("code", "=", code)
    .where("status", "=", "archived")
    .executeTakeFirst();
  if (!found) return false;
  // Gives all changes of the property a position, so that none is added to the feed later.
  await sequenceChanges(database);
  await database.write
    .updateTable("change")
    .set({ kind: "record", message: null, category: null, plan: null })
    .where("property", "=", code)
    .execute();
  while (await deleteMessages(database, code)) await nextTurn();
  return database.edit(code, (db) => deleteRecords(db, code, by));
}

async function deleteMessages(database: Database, code: string): Promise<boolean> {
  return database.commit({
    lock: REMOVAL_LOCK,
    read: [{ sql: `select id from message where property = ? limit ${MESSAGE_BATCH}`, values: [code] }],
    decide([rows]) {
      const ids = idsOf(rows!);
      const write = [["message_body", "message"] as const, ["night_undo", "message"] as const, ["message", "id"] as const];
      return { write: write.flatMap(([table, column]) => deleteByKey(table, column, ids)), result: ids.length > 0 };
    },
  });
}

/** Tables with a property column, in an order that satisfies the foreign keys. */
const TABLES = ["inventory_page", "rate_page", "night_summary", "property_activity", "search_text", "rate_plan", "category"] as const;

async function deleteRecords(db: Kysely<Tables>, code: string, by: By): Promise<boolean> {
  const property = await db
    .selectFrom("property")
    .select(["name"])
    .where("code", "=", code)
    .where("status", "=", "archived")
    .executeTakeFirst();
  if (!property) return false;
  for (const table of TABLES) await db.deleteFrom(table).where("property", "=", code).execute();
  await runStatements(db, referenceRemovals(code));
  await db.deleteFrom("property").where("code", "=", code).execute();
  const changes = [{ field: "name", from: property.name, to: "" }];
  await createAudit(db, { ...by, action: "delete", subject: propertySubject(code), changes });
  await runStatements(db, outboxStatements([{ kind: "record", property: code, at: by.at }]));
  return true;
}
