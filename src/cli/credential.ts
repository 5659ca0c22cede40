import { adminPassword, hashSecret } from "../access/secrets.ts";
import type { Clock } from "../clock.ts";
import { type Config, ConfigError, isAccessOpen } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Credentials } from "../web/guard/sign-in.ts";

/**
 * Loads the credentials. Returns undefined if access is open, which requires development mode, a loopback address and no configured
 * credentials.
 */
export async function loadCredentials(config: Config, database: Database, clock: Clock): Promise<Credentials | undefined> {
  if (isAccessOpen(config)) return undefined;
  const { VIEWER_PASSWORD, PROXY_USER_HEADER: header, PROXY_USER_NETWORKS: networks, PROXY_ADMINS: admins } = config.values;
  const admin = await adminHash(config, database, clock);
  const viewer = VIEWER_PASSWORD && hashSecret(VIEWER_PASSWORD);
  if (viewer === admin) throw new ConfigError("VIEWER_PASSWORD equals the generated administrator password. Set a different one.");
  return { admin, viewer, proxy: header === undefined ? undefined : { header, networks, admins } };
}

async function adminHash({ values }: Config, database: Database, clock: Clock): Promise<string> {
  if (values.ADMIN_PASSWORD !== undefined) return hashSecret(values.ADMIN_PASSWORD);
  const { hash, generated } = await adminPassword(database, clock);
  if (generated !== undefined) console.log(passwordNotice(generated));
  return hash;
}

function passwordNotice(password: string): string {
  return [
    "Generated an administrator password. Only its hash is stored, so it won't be shown again:",
    `  user      admin`,
    `  password  ${password}`,
    "Set ADMIN_PASSWORD to use your own.",
  ].join("\n");
}
