import { randomBytes } from "node:crypto";
import { hashSecret } from "../../../access/secrets.ts";
import type { Database } from "../../../db/database.ts";
import { prepared } from "../../../db/prepared.ts";
import type { SenderRow } from "../../../db/schema.ts";
import type { StoredProfile } from "../profiles/knobs.ts";
import { profileFrom, STANDARD_PRESET } from "../profiles/presets.ts";
import type { Profile } from "../profiles/profile.ts";

export type Sender = {
  name: string;
  hotels: readonly string[] | undefined;
  profile: StoredProfile;
  disabledAt: number | undefined;
  createdAt: number;
};
export type NewSender = { name: string; hotels: readonly string[] | undefined; profile?: StoredProfile | undefined; now: number };

/**
 * Creates a sender, or gives an existing one a new secret. Without `profile`, an existing sender keeps its own. Returns the secret, of which only
 * a hash is stored.
 */
export async function createSender(database: Database, { name, hotels, profile, now }: NewSender): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  const row: SenderRow = {
    name,
    hash: hashSecret(secret),
    hotels: hotels ? JSON.stringify(hotels) : null,
    created_at: now,
    disabled_at: null,
    distribution: null,
    old_hash: null,
    old_until: null,
    digest_secret: null,
    expires_at: null,
    used_at: null,
    ...columnsOf(profile),
  };
  const { hash, disabled_at } = row;
  await database.write
    .insertInto("sender")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ hash, hotels: row.hotels, disabled_at, ...(profile && columnsOf(profile)) }),
    )
    .execute();
  return secret;
}

/** Returns the profile of a sender in the log, or the standard one if there is no such sender. */
export async function profileOfSender(database: Database, name: string | null): Promise<StoredProfile> {
  const row = await database.read.selectFrom("sender").select(["profile", "settings"]).where("name", "=", name).executeTakeFirst();
  return storedProfileOf(row ?? { profile: null, settings: null });
}

/** Returns whether there is such a sender. */
export async function setProfile(database: Database, name: string, profile: StoredProfile): Promise<boolean> {
  const done = await database.write.updateTable("sender").set(columnsOf(profile)).where("name", "=", name).executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

function columnsOf(profile: StoredProfile | undefined): Pick<SenderRow, "profile" | "settings"> {
  return profile ? { profile: profile.preset, settings: JSON.stringify(profile.settings) } : { profile: null, settings: null };
}

export async function disableSender(database: Database, name: string, now: number): Promise<boolean> {
  const done = await database.write
    .updateTable("sender")
    .set({ disabled_at: now })
    .where("name", "=", name)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function listSenders(database: Database): Promise<Sender[]> {
  const rows = await database.read.selectFrom("sender").selectAll().orderBy("name").execute();
  return rows.map(({ name, hotels, created_at, disabled_at, ...stored }) => ({
    name,
    hotels: hotelsOf(hotels),
    profile: storedProfileOf(stored),
    createdAt: created_at,
    disabledAt: disabled_at ?? undefined,
  }));
}

/** Even a disabled sender counts: its existence shows that credentials are wanted. */
export async function hasSender(database: Database): Promise<boolean> {
  const rows = await anySenderQuery(database.read, {});
  return rows.length > 0;
}

const anySenderQuery = prepared((db) => db.selectFrom("sender").select("name").limit(1));

/** Finds an enabled sender by name, or by hash for a bearer token, which has no name. */
export async function findSender(
  database: Database,
  name: string | undefined,
  hash: string,
): Promise<{ name: string; hash: string; hotels: readonly string[] | undefined; profile: Profile } | undefined> {
  const enabled = database.read.selectFrom("sender").selectAll().where("disabled_at", "is", null);
  const row = await (name === undefined ? enabled.where("hash", "=", hash) : enabled.where("name", "=", name)).executeTakeFirst();
  return row && { name: row.name, hash: row.hash, hotels: hotelsOf(row.hotels), profile: profileFrom(storedProfileOf(row)) };
}

function storedProfileOf({ profile, settings }: Pick<SenderRow, "profile" | "settings">): StoredProfile {
  return { preset: profile ?? STANDARD_PRESET, settings: settings === null ? {} : (JSON.parse(settings) as StoredProfile["settings"]) };
}

export async function senderState({ read }: Database, name: string): Promise<"enabled" | "disabled" | "unknown"> {
  const row = await read.selectFrom("sender").select("disabled_at").where("name", "=", name).executeTakeFirst();
  if (!row) return "unknown";
  return row.disabled_at === null ? "enabled" : "disabled";
}

function hotelsOf(json: string | null): readonly string[] | undefined {
  return json === null ? undefined : (JSON.parse(json) as string[]);
}
