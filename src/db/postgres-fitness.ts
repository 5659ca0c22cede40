import type { Pool } from "pg";

const OLDEST_VERSION = 15;

/** The server, or the database on it, cannot keep what Roomrack stores. */
export class UnfitServerError extends Error {
  override readonly name = "UnfitServerError";
}

/** Throws `UnfitServerError` for a server that is too old, and for a database whose encoding has no room for every character. */
export async function checkServer(pool: Pool): Promise<void> {
  const asked =
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding, current_database() as name";
  const { rows } = await pool.query<{ version: string; encoding: string; name: string }>(asked);
  const { version, encoding, name } = rows[0]!;
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    throw new UnfitServerError(`The server has PostgreSQL ${version}; Roomrack needs ${OLDEST_VERSION} or later.`);
  if (encoding === "UTF8") return;
  throw new UnfitServerError(
    `The database ${name} has the encoding ${encoding}, in which not every name can be stored. Make one with: create database ${name} encoding 'UTF8' template template0`,
  );
}
