import { hash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Tables } from "../db/schema.ts";
import { type By, createAudit } from "../records/audit.ts";

const SESSION_KEY = "session-key";
const ADMIN_PASSWORD = "admin-password";
/** Commands can replace secrets while the service runs. Each process notices within this time. */
const REFRESH_INTERVAL_MS = 10_000;

/** The generated secrets in use. `adminPassword` is a hash, or undefined if none was generated. */
export type LiveSecrets = {
  sessionKey(): string;
  adminPassword(): string | undefined;
  /** Rereads the secrets if they may have changed. */
  refresh(): Promise<void> | undefined;
};

export async function liveSecrets(database: Database, clock: Clock): Promise<LiveSecrets> {
  let current = new Map([[SESSION_KEY, await sessionKey(database, clock)]]);
  let readAt = clock.now();
  const readSecrets = async () => {
    current = new Map((await secretsQuery(database.read, {})).map(({ name, value }) => [name, value]));
  };
  await readSecrets();
  return {
    sessionKey: () => current.get(SESSION_KEY)!,
    adminPassword: () => current.get(ADMIN_PASSWORD),
    refresh() {
      const now = clock.now();
      if (Math.abs(now - readAt) < REFRESH_INTERVAL_MS) return undefined;
      readAt = now;
      // Keeps the current secrets if the database is unavailable.
      return readSecrets().catch(() => {});
    },
  };
}

const secretsQuery = prepareStatement((db) => db.selectFrom("secret").select(["name", "value"]));

/** Ends all sessions and forgets all known browsers. Returns the number of ended sessions. */
export async function rotateSessionKey({ write }: Database, by: By): Promise<number> {
  const secret = { value: generateKey(), created_at: by.at };
  return write.transaction().execute(async (db) => {
    await replaceSecret(db, SESSION_KEY, secret);
    const endedSessions = Number((await db.deleteFrom("session").executeTakeFirstOrThrow()).numDeletedRows);
    const changes = [{ field: "sessions", from: String(endedSessions), to: "ended" }];
    await createAudit(db, { ...by, action: "rotate", subject: `secret:${SESSION_KEY}`, changes });
    return endedSessions;
  });
}

/** Returns a new password and stores only its hash. Ends sessions that were started with a shared administrator password. */
export async function replaceAdminPassword({ write }: Database, by: By): Promise<string> {
  const password = generatePassword();
  const secret = { value: hashSecret(password), created_at: by.at };
  await write.transaction().execute(async (db) => {
    await replaceSecret(db, ADMIN_PASSWORD, secret);
    await db.deleteFrom("session").where("person", "=", "admin").execute();
    await createAudit(db, { ...by, action: "replace", subject: `secret:${ADMIN_PASSWORD}`, changes: [] });
  });
  return password;
}

type NewSecret = { value: string; created_at: number };

async function replaceSecret(db: Kysely<Tables>, name: string, secret: NewSecret): Promise<void> {
  await db
    .insertInto("secret")
    .values({ name, ...secret })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(secret))
    .execute();
}

function generateKey(): string {
  return randomBytes(32).toString("base64url");
}

function generatePassword(): string {
  return randomBytes(18).toString("base64url");
}

/** Returns the key for hashing session IDs, and creates it on first start. */
async function sessionKey(database: Database, clock: Clock): Promise<string> {
  return findOrCreate(database, { name: SESSION_KEY, value: generateKey(), created_at: clock.now() });
}

/** Returns the admin password's hash. `generated` is the plain password if this call generated it. */
export async function adminPassword(database: Database, clock: Clock): Promise<{ hash: string; generated: string | undefined }> {
  const newSecret = generatePassword();
  const value = await findOrCreate(database, { name: ADMIN_PASSWORD, value: hashSecret(newSecret), created_at: clock.now() });
  return { hash: value, generated: value === hashSecret(newSecret) ? newSecret : undefined };
}

/** Hashes a generated secret. SHA-256 is sufficient if the secret has at least 128 bits. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Stores the secret unless one exists, and returns the stored one. */
async function findOrCreate({ write }: Database, row: { name: string; value: string; created_at: number }): Promise<string> {
  await write
    .insertInto("secret")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const storedSecret = await write.selectFrom("secret").select("value").where("name", "=", row.name).executeTakeFirstOrThrow();
  return storedSecret.value;
}
