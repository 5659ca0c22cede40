import type { Database } from "../../db/database.ts";
import { type By, listAudit } from "../audit.ts";
import { findProperty, propertySubject, updateProperty } from "./store.ts";

const ATTEMPTS = 5;

/** Hides a property and makes it refuse messages. All of its data is kept. */
export async function archiveProperty(database: Database, code: string, by: By): Promise<void> {
  await setStatus(database, { code, status: "archived" }, by);
}

/** Restores the status that the property had before it was archived, and returns this status. */
export async function restoreProperty(database: Database, code: string, by: By): Promise<string> {
  const changes = (await listAudit(database, propertySubject(code))).flatMap((entry) => entry.changes);
  const archived = changes.find(({ field, to }) => field === "status" && to === "archived");
  const status = archived?.from || "inactive";
  await setStatus(database, { code, status }, by);
  return status;
}

/** Retries if the property was edited at the same time. */
async function setStatus(database: Database, { code, status }: { code: string; status: string }, by: By): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const property = await findProperty(database, code);
    if (!property) return;
    const done = await updateProperty(database, { key: property, version: property.version, fields: { ...property, status } }, by);
    if (done?.outcome !== "conflict") return;
  }
}
