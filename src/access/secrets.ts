import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";

/** Returns the key for hashing session ids. The first start creates it. */
export async function sessionKey(database: Database, clock: Clock): Promise<string> {
  const generated = randomBytes(32).toString("base64url");
  return findOrCreate(database, { name: "session-key", value: generated, created_at: clock.now() });
}

/** Returns the hash of the generated admin password. `fresh` is the password itself if this call created it. */
export async function adminPassword(database: Database, clock: Clock): Promise<{ hash: string; fresh: string | undefined }> {
  const generated = randomBytes(18).toString("base64url");
  const value = await findOrCreate(database, { name: "admin-password", value: hashSecret(generated), created_at: clock.now() });
  return { hash: value, fresh: value === hashSecret(generated) ? generated : undefined };
}

/** SHA-256 is enough for generated secrets of at least 128 bits. */
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
  const stored = await write.selectFrom("secret").select("value").where("name", "=", row.name).executeTakeFirstOrThrow();
  return stored.value;
}
