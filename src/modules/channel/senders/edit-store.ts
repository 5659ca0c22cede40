import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { hashSecret } from "../../../access/secrets.ts";
import type { Database } from "../../../db/database.ts";
import type { SenderRow, Tables } from "../../../db/schema.ts";
import { type By, changesBetween, createAudit } from "../../../records/audit.ts";
import type { StoredProfile } from "../profiles/knobs.ts";
import { describeProfile } from "../profiles/words.ts";
import { noteSenderChange } from "./revision.ts";
import { senderSubject, toSender } from "./store.ts";

/**
 * If `hotels` is undefined, the sender can access all properties. `digest` means that the plain secret is also stored, for WS-Security
 * PasswordDigest.
 */
export type NewSender = {
  name: string;
  hotels: readonly string[] | undefined;
  profile?: StoredProfile | undefined;
  expiresAt?: number | undefined;
  digest?: boolean | undefined;
};

/** Creates a sender. Returns its secret, which can't be shown again, or `undefined` if the name is taken. */
export async function createSender(database: Database, sender: NewSender, by: By): Promise<string | undefined> {
  const secret = generateSecret();
  const row: SenderRow = {
    name: sender.name,
    hash: hashSecret(secret),
    hotels: hotelsColumn(sender.hotels),
    created_at: by.at,
    disabled_at: null,
    distribution: null,
    old_hash: null,
    old_until: null,
    digest_secret: sender.digest === true ? secret : null,
    old_digest_secret: null,
    expires_at: sender.expiresAt ?? null,
    used_at: null,
    ...profileColumns(sender.profile),
  };
  const isNew = await database.edit(senderLock(sender.name), async (db) => {
    if (await findRow(db, sender.name)) return false;
    await db.insertInto("sender").values(row).execute();
    await auditSenderChange(db, { before: undefined, after: row, action: "create" }, by);
    return true;
  });
  noteSenderChange();
  return isNew ? secret : undefined;
}

/** `oldUntil` is when the old secret stops working, unless it expires earlier. `expiresAt` applies to the new secret. */
export type SecretRotation = { name: string; oldUntil?: number | undefined; expiresAt?: number | undefined; digest?: boolean | undefined };

/** Replaces only the secret. Without `digest`, the sign-in method stays the same. Returns `undefined` if the sender doesn't exist. */
export async function rotateSecret(database: Database, rotation: SecretRotation, by: By): Promise<string | undefined> {
  const secret = generateSecret();
  const result = await changeSender(database, { name: rotation.name, action: "rotate", by }, (row) => ({
    hash: hashSecret(secret),
    expires_at: rotation.expiresAt ?? null,
    old_hash: row.hash,
    old_until: Math.min(rotation.oldUntil ?? by.at, row.expires_at ?? Infinity),
    digest_secret: (rotation.digest ?? row.digest_secret !== null) ? secret : null,
    old_digest_secret: row.digest_secret,
  }));
  return result === "unknown" ? undefined : secret;
}

/** `unchanged` means that there was nothing to do, so there is no audit entry. `unknown` means that the sender doesn't exist. */
export type ChangeOutcome = "done" | "unchanged" | "unknown";

type WithName<More> = { name: string } & More;

/**
 * Limits a sender to some of its properties. Returns `wider` if the sender has no access to one of them, because only `widenScope` adds
 * properties.
 */
export async function narrowScope(
  database: Database,
  { name, hotels }: WithName<{ hotels: readonly string[] }>,
  by: By,
): Promise<ChangeOutcome | "wider"> {
  return changeSender<"wider">(database, { name, action: "narrow", by }, (row) => {
    const { hotels: before } = toSender(row);
    if (before && hotels.some((code) => !before.includes(code))) return "wider";
    return { hotels: hotelsColumn(before ? before.filter((code) => hotels.includes(code)) : hotels) };
  });
}

/** Gives a sender access to more properties. If `undefined`, the sender can access all properties. */
export async function widenScope(
  database: Database,
  { name, hotels }: WithName<{ hotels: readonly string[] | undefined }>,
  by: By,
): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "widen", by }, (row) => {
    const { hotels: before } = toSender(row);
    return { hotels: hotelsColumn(before && hotels && [...before, ...hotels]) };
  });
}

export async function setProfile(
  database: Database,
  { name, profile }: WithName<{ profile: StoredProfile }>,
  by: By,
): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "profile", by }, () => profileColumns(profile));
}

/** Sets when the current secret expires. `undefined` means that it never expires. */
export async function setExpiry(
  database: Database,
  { name, expiresAt }: WithName<{ expiresAt: number | undefined }>,
  by: By,
): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "expiry", by }, () => ({ expires_at: expiresAt ?? null }));
}

/** Revokes the previous secret before it expires. */
export async function revokeOldSecret(database: Database, name: string, by: By): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "end old secret", by }, (row) =>
    row.old_until === null || row.old_until <= by.at ? {} : { old_until: by.at, old_digest_secret: null },
  );
}

/**
 * Deletes the secrets stored for PasswordDigest. To turn PasswordDigest on again, the secret must be rotated with `digest`, because the
 * current secret is stored only as a hash.
 */
export async function disableDigest(database: Database, name: string, by: By): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "stop digest", by }, () => ({ digest_secret: null, old_digest_secret: null }));
}

export async function disableSender(database: Database, name: string, by: By): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "disable", by }, (row) => (row.disabled_at === null ? { disabled_at: by.at } : {}));
}

export async function enableSender(database: Database, name: string, by: By): Promise<ChangeOutcome> {
  return changeSender(database, { name, action: "enable", by }, () => ({ disabled_at: null }));
}

/** Deletes a sender and its codes. Its messages stay in the log. Returns whether the sender existed. */
export async function deleteSender(database: Database, name: string, by: By): Promise<boolean> {
  const isKnown = await database.edit(senderLock(name), async (db) => {
    const before = await findRow(db, name);
    if (!before) return false;
    await db.deleteFrom("sender").where("name", "=", name).execute();
    await db.deleteFrom("sender_code").where("sender", "=", name).execute();
    await auditSenderChange(db, { before, after: undefined, action: "delete" }, by);
    return true;
  });
  noteSenderChange();
  return isKnown;
}

type SenderAction = { name: string; action: string; by: By };

/** Updates the columns that `decide` returns. If `decide` returns a string instead, changes nothing and returns that string. */
async function changeSender<Word extends string = never>(
  database: Database,
  { name, action, by }: SenderAction,
  decide: (row: SenderRow) => Partial<SenderRow> | NoInfer<Word>,
): Promise<ChangeOutcome | Word> {
  const result = await database.edit(senderLock(name), async (db): Promise<ChangeOutcome | Word> => {
    const before = await findRow(db, name);
    if (!before) return "unknown";
    const set = decide(before);
    if (typeof set === "string") return set;
    const after = { ...before, ...set };
    if (Object.entries(set).every(([column, value]) => before[column as keyof SenderRow] === value)) return "unchanged";
    await db.updateTable("sender").set(set).where("name", "=", name).execute();
    await auditSenderChange(db, { before, after, action }, by);
    return "done";
  });
  noteSenderChange();
  return result;
}

const senderLock = senderSubject;

function findRow(db: Kysely<Tables>, name: string): Promise<SenderRow | undefined> {
  return db.selectFrom("sender").selectAll().where("name", "=", name).executeTakeFirst();
}

type SenderChange = { before: SenderRow | undefined; after: SenderRow | undefined; action: string };

async function auditSenderChange(db: Kysely<Tables>, { before, after, action }: SenderChange, by: By): Promise<void> {
  const changes = changesBetween(before && toAuditedFields(before), after ? toAuditedFields(after) : NO_AUDITED_FIELDS, AUDITED_FIELDS);
  await createAudit(db, { ...by, action, subject: senderSubject((after ?? before)!.name), changes });
}

const AUDITED_FIELDS = ["state", "properties", "profile", "expires", "oldSecretUntil", "digest"] as const;
type AuditedFields = Record<(typeof AUDITED_FIELDS)[number], string | undefined>;
const NO_AUDITED_FIELDS = Object.fromEntries(AUDITED_FIELDS.map((fact) => [fact, undefined])) as AuditedFields;

/** Returns a sender's values for the audit log, without its secret or hash. */
function toAuditedFields(row: SenderRow): AuditedFields {
  const { hotels, profile, disabledAt, expiresAt, oldUntil, digest } = toSender(row);
  return {
    state: disabledAt === undefined ? "enabled" : "disabled",
    properties: hotels?.join(", ") ?? "all",
    profile: describeProfile(profile),
    expires: timeText(expiresAt),
    oldSecretUntil: timeText(oldUntil),
    digest: digest ? "yes" : "no",
  };
}

function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function generateSecret(): string {
  return randomBytes(24).toString("base64url");
}

function hotelsColumn(hotels: readonly string[] | undefined): string | null {
  return hotels ? JSON.stringify([...new Set(hotels)]) : null;
}

function profileColumns(profile: StoredProfile | undefined): Pick<SenderRow, "profile" | "settings"> {
  return profile ? { profile: profile.preset, settings: JSON.stringify(profile.settings) } : { profile: null, settings: null };
}
