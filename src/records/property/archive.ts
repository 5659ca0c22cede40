import type { Database } from "../../db/database.ts";
import { type By, listAudit } from "../audit.ts";
import { findProperty, propertySubject, updateProperty } from "./store.ts";

const ATTEMPTS = 5;

/** Hides a property and makes it refuse messages. All of its data is kept. */
export async function archiveProperty(database: Database, code: string, by: By): Promise<void> {
  await setStatus(database, { code, status: "archived" }, by);
}

/** Gives an archived property the status that it had before, and returns it. */
export async function restoreProperty(database: Database, code: string, by: By): Promise<string> {
  const changes = (await listAudit(database, propertySubject(code))).flatMap((entry) => entry.changes);
  const archived = changes.find(({ field, to }) => field === "status" && to === "archived");
  const status = archived?.from || "inactive";
  await setStatus(database, { code, status }, by);
  return status;
}

/** Tries again if the property was edited meanwhile. */
async function setStatus(database: Database, { code, status }: { code: string; status: string }, by: By): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const property = await findProperty(database, code);
    if (!property) return;
    const done = await updateProperty(database, { key: property, version: property.version, fields: { ...property, status } }, by);
    if (done?.outcome !== "conflict") return;
  }
}
