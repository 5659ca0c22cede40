import type { Kysely } from "kysely";
import type { Database } from "../../../db/database.ts";
import { prepareStatement } from "../../../db/prepared.ts";
import type { SenderCodeRow, Tables } from "../../../db/schema.ts";
import { type By, createAudit } from "../../../records/audit.ts";
import { normalCode } from "../../../text.ts";
import { noteSenderChange } from "./revision.ts";
import { senderSubject } from "./store.ts";

export type CodeKind = SenderCodeRow["kind"];

/** A sender's code and our matching code. `property` is our code for the property, and empty if the kind is `property`. */
export type SenderCode = { kind: CodeKind; property: string; code: string; target: string };

type CodeKey = Omit<SenderCode, "target"> & { sender: string };

/** Lists a sender's codes, sorted by property, kind and code. */
export async function listCodes({ read }: Database, sender: string): Promise<SenderCode[]> {
  return read
    .selectFrom("sender_code")
    .select(["kind", "property", "code", "target"])
    .where("sender", "=", sender)
    .orderBy("property")
    .orderBy("kind")
    .orderBy("code")
    .execute();
}

/** `duplicate` means that the sender already has a different code for the target, `unknown` that the sender doesn't exist. */
export type SetCodeResult = "done" | "unchanged" | "unknown" | "duplicate";

/**
 * Adds a code or changes its target. A target can't have two codes, because a complete set that uses one code would clear the values sent
 * with the other. The caller checks whether the target exists.
 */
export async function setCode(database: Database, sent: CodeKey & { target: string }, by: By): Promise<SetCodeResult> {
  const row: SenderCodeRow = { ...sent, code: normalCode(sent.code) };
  const result = await database.edit(senderSubject(row.sender), async (db): Promise<SetCodeResult> => {
    const sender = await db.selectFrom("sender").select("name").where("name", "=", row.sender).executeTakeFirst();
    if (!sender) return "unknown";
    const duplicate = await sameKindQuery(db, row).where("target", "=", row.target).where("code", "<>", row.code).executeTakeFirst();
    if (duplicate) return "duplicate";
    const before = await sameKindQuery(db, row).where("code", "=", row.code).executeTakeFirst();
    if (before?.target === row.target) return "unchanged";
    await db
      .insertInto("sender_code")
      .values(row)
      .onConflict((conflict) => conflict.columns(["sender", "kind", "property", "code"]).doUpdateSet({ target: row.target }))
      .execute();
    await auditCodeChange(db, { key: row, from: before?.target ?? "", to: row.target }, by);
    return "done";
  });
  noteSenderChange();
  return result;
}

/** Removes a code. Returns whether it existed. */
export async function removeCode(database: Database, sent: CodeKey, by: By): Promise<boolean> {
  const key: CodeKey = { ...sent, code: normalCode(sent.code) };
  const wasRemoved = await database.edit(senderSubject(key.sender), async (db) => {
    const before = await sameKindQuery(db, key).where("code", "=", key.code).executeTakeFirst();
    if (!before) return false;
    const { sender, kind, property, code } = key;
    await db
      .deleteFrom("sender_code")
      .where((is) => is.and({ sender, kind, property, code }))
      .execute();
    await auditCodeChange(db, { key, from: before.target, to: "" }, by);
    return true;
  });
  noteSenderChange();
  return wasRemoved;
}

function sameKindQuery(db: Kysely<Tables>, { sender, kind, property }: CodeKey) {
  return db
    .selectFrom("sender_code")
    .selectAll()
    .where((is) => is.and({ sender, kind, property }));
}

type CodeChange = { key: CodeKey; from: string; to: string };

async function auditCodeChange(db: Kysely<Tables>, { key, from, to }: CodeChange, by: By): Promise<void> {
  const { sender, kind, property, code } = key;
  const field = `${kind} ${property === "" ? "" : `${property}/`}${code}`;
  await createAudit(db, { ...by, action: to === "" ? "unmap" : "map", subject: senderSubject(sender), changes: [{ field, from, to }] });
}

/** A sender's property codes, and whether it has codes of other kinds. Plain data, because it is passed to threads. */
export type PropertyCodes = { properties: ReadonlyMap<string, string>; hasOthers: boolean };

/** Returns the sender's property codes, or `undefined` if the sender uses only our codes. */
export async function findPropertyCodes({ read }: Database, sender: string): Promise<PropertyCodes | undefined> {
  const [properties, others] = await Promise.all([propertyCodesQuery(read, { sender }), otherCodesQuery(read, { sender })]);
  if (properties.length + others.length === 0) return undefined;
  return { properties: new Map(properties.map(({ code, target }) => [code, target])), hasOthers: others.length > 0 };
}

const propertyCodesQuery = prepareStatement((db, { sender }: { sender: string }) =>
  db.selectFrom("sender_code").select(["code", "target"]).where("sender", "=", sender).where("kind", "=", "property").orderBy("code"),
);

const otherCodesQuery = prepareStatement((db, { sender }: { sender: string }) =>
  db.selectFrom("sender_code").select("kind").where("sender", "=", sender).where("kind", "in", ["category", "plan"]).limit(1),
);

/** Lists the sender's codes for a property's categories and plans. */
export function listPropertyCodes(
  { read }: Database,
  key: { sender: string; property: string },
): Promise<Pick<SenderCode, "kind" | "code" | "target">[]> {
  return codesQuery(read, key);
}

const codesQuery = prepareStatement((db, { sender, property }: { sender: string; property: string }) =>
  db
    .selectFrom("sender_code")
    .select(["kind", "code", "target"])
    .where("sender", "=", sender)
    .where("kind", "in", ["category", "plan"])
    .where("property", "=", property),
);
