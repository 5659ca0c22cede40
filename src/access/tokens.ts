import { randomBytes } from "node:crypto";
import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { ApiTokenRow } from "../db/schema.ts";
import { type By, createAudit } from "../records/audit.ts";
import { type TokenGrant, type TokenScope, SCOPES, type User } from "../web/guard/user.ts";
import { hashSecret } from "./secrets.ts";

const SECRET_BYTES = 32;
const SHOWN_PREFIX_LENGTH = 10;
const RECORD_USE_INTERVAL_MS = 60_000;

export type ApiToken = {
  id: number;
  name: string;
  /** The first characters of the token, shown so that users can recognise it. */
  prefix: string;
  scopes: readonly TokenScope[];
  /** Undefined means all properties. */
  properties: readonly string[] | undefined;
  createdBy: string;
  createdAt: number;
  expiresAt: number | undefined;
  usedAt: number | undefined;
  revokedAt: number | undefined;
};

/** The audit log identifies tokens by name, so names of valid tokens must be unique. */
const TOKENS_LOCK = "roomrack: tokens";

export const tokenSubject = (name: string) => `token:${name}`;

export type NewToken = TokenGrant & { name: string; expiresAt: number | undefined };

/** Stores the token's hash and returns the token, or undefined if a valid token has the same name. */
export async function createToken(database: Database, fields: NewToken, by: By): Promise<string | undefined> {
  const { name, scopes, properties, expiresAt } = fields;
  const token = `rrk_${randomBytes(SECRET_BYTES).toString("base64url")}`;
  return database.edit(TOKENS_LOCK, async (db) => {
    const tokenWithSameName = await db
      .selectFrom("api_token")
      .select("id")
      .where("name", "=", name)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (tokenWithSameName) return undefined;
    await db
      .insertInto("api_token")
      .values({
        name,
        prefix: token.slice(0, SHOWN_PREFIX_LENGTH),
        hash: hashSecret(token),
        scopes: JSON.stringify(scopes),
        properties: properties ? JSON.stringify(properties) : null,
        created_by: by.actor,
        created_at: by.at,
        expires_at: expiresAt ?? null,
        used_at: null,
        revoked_at: null,
      })
      .execute();
    const changes = [
      { field: "scopes", from: "", to: scopes.join(", ") },
      { field: "properties", from: "", to: properties?.join(", ") ?? "all" },
    ];
    await createAudit(db, { ...by, action: "create", subject: tokenSubject(name), changes });
    return token;
  });
}

/** Returns the token's name, or undefined if it doesn't exist or is already revoked. */
export async function revokeToken(database: Database, id: number, by: By): Promise<string | undefined> {
  return database.write.transaction().execute(async (db) => {
    const row = await db
      .updateTable("api_token")
      .set({ revoked_at: by.at })
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .returning("name")
      .executeTakeFirst();
    if (!row) return undefined;
    await createAudit(db, { ...by, action: "revoke", subject: tokenSubject(row.name), changes: [] });
    return row.name;
  });
}

export async function listTokens({ read }: Database): Promise<ApiToken[]> {
  const rows = await read.selectFrom("api_token").selectAll().orderBy("id", "desc").execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    ...toGrant(row),
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    usedAt: row.used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }));
}

const tokenQuery = prepareStatement((db, { hash }: { hash: string }) =>
  db.selectFrom("api_token").selectAll().where("hash", "=", hash).where("revoked_at", "is", null),
);

export async function findTokenUser(database: Database, hash: string, now: number): Promise<User | undefined> {
  const [row] = await tokenQuery(database.read, { hash });
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  if (row.used_at === null || Math.abs(now - row.used_at) >= RECORD_USE_INTERVAL_MS) await recordUse(database, row.id, now);
  return { name: `token ${row.name}`, role: "editor", kind: "token", grant: toGrant(row) };
}

/** Records when a token was last used. Ignores errors, because reads must work while the database is read-only. */
async function recordUse({ write }: Database, id: number, now: number): Promise<void> {
  await write
    .updateTable("api_token")
    .set({ used_at: now })
    .where("id", "=", id)
    .execute()
    .catch(() => undefined);
}

function toGrant({ scopes, properties }: Pick<ApiTokenRow, "scopes" | "properties">): TokenGrant {
  const storedScopes = JSON.parse(scopes) as string[];
  return {
    scopes: SCOPES.filter((scope) => storedScopes.includes(scope)),
    properties: properties === null ? undefined : (JSON.parse(properties) as string[]),
  };
}
