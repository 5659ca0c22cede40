import type { Kysely } from "kysely";
import type { Database } from "../db/database.ts";
import type { SavedViewRow, Tables } from "../db/schema.ts";
import { type By, createAudit } from "./audit.ts";

export type SavedView = { id: number; grid: SavedViewRow["grid"]; name: string; query: string };

export type NewView = Omit<SavedView, "id">;

/** The saved views of a user or a browser. */
export type ViewOwner = { database: Database; owner: string };

const MAX_VIEWS = 50;
const VIEWS_LOCK = "roomrack: saved views";
const VIEW_COLUMNS = ["id", "grid", "name", "query"] as const;

/** Lists an owner's views by grid and name. */
export function listViews({ read }: Database, owner: string): Promise<SavedView[]> {
  return ownerQuery(read, owner).orderBy("grid").orderBy("name").execute();
}

function ownerQuery(db: Kysely<Tables>, owner: string) {
  return db.selectFrom("saved_view").select(VIEW_COLUMNS).where("owner", "=", owner);
}

/** Saves a view, or replaces the view with the same name. Returns false if the owner has too many. */
export function saveView({ database, owner }: ViewOwner, view: NewView, by: By): Promise<boolean> {
  return database.edit(VIEWS_LOCK, async (db) => {
    const all = await ownerQuery(db, owner).execute();
    const viewWithSameName = all.find(({ grid, name }) => grid === view.grid && name === view.name);
    if (!viewWithSameName && all.length >= MAX_VIEWS) return false;
    if (viewWithSameName) await db.updateTable("saved_view").set({ query: view.query }).where("id", "=", viewWithSameName.id).execute();
    else
      await db
        .insertInto("saved_view")
        .values({ owner, ...view })
        .execute();
    await recordViewChange(
      db,
      { action: viewWithSameName ? "update" : "create", name: view.name, from: viewWithSameName?.query ?? "", to: view.query },
      by,
    );
    return true;
  });
}

/** The view's new or former name, or the reason why nothing changed. */
export type ViewChange = { name: string } | "unknown" | "taken";

export function renameView({ database, owner }: ViewOwner, { id, name }: { id: number; name: string }, by: By): Promise<ViewChange> {
  return database.edit(VIEWS_LOCK, async (db) => {
    const all = await ownerQuery(db, owner).execute();
    const view = all.find((one) => one.id === id);
    if (!view) return "unknown";
    if (all.some((one) => one.id !== id && one.grid === view.grid && one.name === name)) return "taken";
    await db.updateTable("saved_view").set({ name }).where("id", "=", id).execute();
    await recordViewChange(db, { action: "rename", name, from: view.name, to: name }, by);
    return { name };
  });
}

export function deleteView({ database, owner }: ViewOwner, id: number, by: By): Promise<ViewChange> {
  return database.edit(VIEWS_LOCK, async (db) => {
    const view = await ownerQuery(db, owner).where("id", "=", id).executeTakeFirst();
    if (!view) return "unknown";
    await db.deleteFrom("saved_view").where("id", "=", id).execute();
    await recordViewChange(db, { action: "delete", name: view.name, from: view.query, to: "" }, by);
    return { name: view.name };
  });
}

type ViewAudit = { action: string; name: string; from: string; to: string };

function recordViewChange(db: Kysely<Tables>, { action, name, from, to }: ViewAudit, by: By): Promise<void> {
  return createAudit(db, {
    ...by,
    action,
    subject: `view:${name}`,
    changes: [{ field: action === "rename" ? "name" : "query", from, to }],
  });
}
