import { hashSecret } from "../../../access/secrets.ts";
import type { Database } from "../../../db/database.ts";
import { prepareStatement } from "../../../db/prepared.ts";
import type { SenderRow } from "../../../db/schema.ts";
import type { StoredProfile } from "../profiles/knobs.ts";
import { profileFrom, STANDARD_PRESET } from "../profiles/presets.ts";
import type { Profile } from "../profiles/profile.ts";

/** A sender without its secret, for pages and commands. To change senders, see `edit-store.ts`. */
export type Sender = {
  name: string;
  /** Codes of the properties that the sender can access; `undefined` means all. */
  hotels: readonly string[] | undefined;
  profile: StoredProfile;
  createdAt: number;
  disabledAt: number | undefined;
  expiresAt: number | undefined;
  /** When the previous secret expires or has expired. */
  oldUntil: number | undefined;
  /** Time of the last sign-in. May be up to a minute behind. */
  usedAt: number | undefined;
  /** Whether the sender can sign in with a WS-Security PasswordDigest. */
  digest: boolean;
};

export const senderSubject = (name: string) => `sender:${name}`;

export async function listSenders({ read }: Database): Promise<Sender[]> {
  const rows = await read.selectFrom("sender").selectAll().orderBy("name").execute();
  return rows.map(toSender);
}

export async function findSender({ read }: Database, name: string): Promise<Sender | undefined> {
  const row = await read.selectFrom("sender").selectAll().where("name", "=", name).executeTakeFirst();
  return row && toSender(row);
}

/** Also counts disabled senders: if any sender exists, credentials are required. */
export async function hasSender(database: Database): Promise<boolean> {
  const rows = await anySenderQuery(database.read, {});
  return rows.length > 0;
}

const anySenderQuery = prepareStatement((db) => db.selectFrom("sender").select("name").limit(1));

/** A secret's hash, and the time at which the secret expires. `digestSecret` is the plain secret, stored only for PasswordDigest. */
export type StoredSecret = { hash: string; until: number; digestSecret: string | undefined };

/** A sender with the hashes of its secrets, the current one first. */
export type SenderCredentials = {
  name: string;
  hotels: readonly string[] | undefined;
  profile: Profile;
  disabledAt: number | undefined;
  usedAt: number | undefined;
  secrets: readonly StoredSecret[];
};

/** Finds a sender by its name, or by its secret if no name was sent. */
export async function findCredentials(
  { read }: Database,
  { name, secret }: { name: string | undefined; secret: string },
): Promise<SenderCredentials | undefined> {
  const hash = hashSecret(secret);
  const all = read.selectFrom("sender").selectAll();
  const foundRow =
    name === undefined ? all.where((is) => is.or([is("hash", "=", hash), is("old_hash", "=", hash)])) : all.where("name", "=", name);
  const row = await foundRow.executeTakeFirst();
  return row && toCredentials(row);
}

const MINUTE_MS = 60_000;

/** Records a sign-in, at most once a minute. Ignores database errors, so that they don't cause a message to fail. */
export async function recordUse({ write }: Database, { name, at }: { name: string; at: number }): Promise<void> {
  try {
    await write
      .updateTable("sender")
      .set({ used_at: at })
      .where("name", "=", name)
      .where((is) => is.or([is("used_at", "is", null), is("used_at", "<=", at - MINUTE_MS), is("used_at", ">", at)]))
      .execute();
  } catch {
    // If the database is down, storing the message will report the error.
  }
}

export function isUseRecorded(usedAt: number | undefined, at: number): boolean {
  return usedAt !== undefined && usedAt <= at && at < usedAt + MINUTE_MS;
}

function toCredentials(row: SenderRow): SenderCredentials {
  const current = { hash: row.hash, until: row.expires_at ?? Infinity, digestSecret: row.digest_secret ?? undefined };
  const old = { hash: row.old_hash ?? "", until: row.old_until ?? 0, digestSecret: row.old_digest_secret ?? undefined };
  return {
    name: row.name,
    hotels: parseHotels(row.hotels),
    profile: profileFrom(toStoredProfile(row)),
    disabledAt: row.disabled_at ?? undefined,
    usedAt: row.used_at ?? undefined,
    secrets: old.hash === "" ? [current] : [current, old],
  };
}

export function toSender(row: SenderRow): Sender {
  return {
    name: row.name,
    hotels: parseHotels(row.hotels),
    profile: toStoredProfile(row),
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    oldUntil: row.old_until ?? undefined,
    usedAt: row.used_at ?? undefined,
    digest: row.digest_secret !== null,
  };
}

function toStoredProfile({ profile, settings }: Pick<SenderRow, "profile" | "settings">): StoredProfile {
  return { preset: profile ?? STANDARD_PRESET, settings: settings === null ? {} : (JSON.parse(settings) as StoredProfile["settings"]) };
}

function parseHotels(json: string | null): readonly string[] | undefined {
  return json === null ? undefined : (JSON.parse(json) as string[]);
}
