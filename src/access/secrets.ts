import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";

/** The key that hashes session ids, created at the first start. */
export async function sessionKey(database: Database, clock: Clock): Promise<string> {
  const made = randomBytes(32).toString("base64url");
  return keep(database, { name: "session-key", value: made, created_at: clock.now() });
}

/** The hash of the generated admin password. `fresh` is the password itself if it was just created, to be shown once. */
export async function adminPassword(database: Database, clock: Clock): Promise<{ hash: string; fresh: string | undefined }> {
  const made = randomBytes(18).toString("base64url");
  const value = await keep(database, { name: "admin-password", value: hashSecret(made), created_at: clock.now() });
  return { hash: value, fresh: value === hashSecret(made) ? made : undefined };
}

/** SHA-256 is enough for generated secrets of at least 128 bits. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Stores the secret unless there is one, and returns the stored one. */
async function keep({ write }: Database, row: { name: string; value: string; created_at: number }): Promise<string> {
  await write
    .insertInto("secret")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const kept = await write.selectFrom("secret").select("value").where("name", "=", row.name).executeTakeFirstOrThrow();
  return kept.value;
}
