import type { Database } from "../../db/database.ts";
import { type By, listChangesTo } from "../audit.ts";
import type { Property } from "./property.ts";
import { findProperty, propertySubject, updateProperty } from "./store.ts";

const MAX_ATTEMPTS = 5;

/** `busy` means that the property was edited during each attempt. Then nothing was stored. */
export type StatusChange = { outcome: "done"; status: string } | { outcome: "not archived" | "not found" | "busy" };

/** Hides a property and makes it refuse messages. All of its data is kept. */
export function archiveProperty(database: Database, code: string, by: By): Promise<StatusChange> {
  return setStatus(database, { code, choose: async () => "archived" }, by);
}

/** Restores the status that the property had before it was archived. */
export function restoreProperty(database: Database, code: string, by: By): Promise<StatusChange> {
  const choose = async ({ status }: Property) => (status === "archived" ? findStatusBefore(database, code) : undefined);
  return setStatus(database, { code, choose }, by);
}

/**
 * Returns the status before the property was archived. Returns "inactive" if it was created as archived, or if the audit log no longer has
 * the entry.
 */
async function findStatusBefore(database: Database, code: string): Promise<string> {
  for (const { action, changes } of await listChangesTo(database, propertySubject(code), "archived")) {
    const archiveChange = changes.find(({ field, to }) => field === "status" && to === "archived");
    if (archiveChange) return archiveChange.from || "inactive";
    // Earlier entries belong to a deleted property with the same code.
    if (action === "create") break;
  }
  return "inactive";
}

/** `choose` returns undefined if the property isn't archived. */
type StatusSetting = { code: string; choose: (property: Property) => Promise<string | undefined> };

/** Sets the status. Retries if the property was edited at the same time. */
async function setStatus(database: Database, { code, choose }: StatusSetting, by: By): Promise<StatusChange> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const property = await findProperty(database, code);
    if (!property) return { outcome: "not found" };
    const status = await choose(property);
    if (status === undefined) return { outcome: "not archived" };
    const updateResult = await updateProperty(database, { key: property, version: property.version, fields: { ...property, status } }, by);
    if (updateResult && updateResult.outcome !== "conflict") return { outcome: "done", status };
  }
  return { outcome: "busy" };
}
