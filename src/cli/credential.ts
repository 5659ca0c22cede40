import { adminPassword, hashSecret } from "../access/secrets.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";

/**
 * The hash of the required password: `ADMIN_PASSWORD`, or one made at the first start and printed once.
 * Undefined in development on loopback, where access is open under guards.
 */
export async function credentialHash(config: Config, database: Database, clock: Clock): Promise<string | undefined> {
  const { ADMIN_PASSWORD: password, NODE_ENV } = config.values;
  if (password !== undefined) return hashSecret(password);
  if (NODE_ENV !== "production" && config.loopback) return undefined;
  const { hash, fresh } = await adminPassword(database, clock);
  if (fresh !== undefined) console.log(announcement(fresh));
  return hash;
}

function announcement(password: string): string {
  return [
    "A password was made for this installation. It is shown only now, and kept hashed:",
    `  user      admin`,
    `  password  ${password}`,
    "Set ADMIN_PASSWORD to use one of your own.",
  ].join("\n");
}
