import { randomBytes, timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../access/secrets.ts";
import { stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { SenderRow } from "../../db/schema.ts";
import type { Cache } from "../../web/caches.ts";
import { MemoryCache } from "../../web/caches.ts";
import type { Authenticate, Authenticated, Credentials } from "./access.ts";

/** Who may post messages; `hotels` undefined: for all properties. */
export type Sender = { name: string; hotels: readonly string[] | undefined; disabledAt: number | undefined; createdAt: number };
export type NewSender = { name: string; hotels: readonly string[] | undefined; now: number };

/** Makes a sender, or gives one that is there a new secret; answers the secret, which is not kept. */
export async function addSender(database: Database, { name, hotels, now }: NewSender): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  const row: SenderRow = {
    name,
    hash: hashSecret(secret),
    hotels: hotels ? JSON.stringify(hotels) : null,
    created_at: now,
    disabled_at: null,
  };
  const { hash, disabled_at } = row;
  await database.write
    .insertInto("sender")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ hash, hotels: row.hotels, disabled_at }))
    .execute();
  return secret;
}

/** Answers whether there was an enabled sender of that name. */
export async function disableSender(database: Database, name: string, now: number): Promise<boolean> {
  const done = await database.write
    .updateTable("sender")
    .set({ disabled_at: now })
    .where("name", "=", name)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Every sender by name. */
export async function listSenders(database: Database): Promise<Sender[]> {
  const rows = await database.read.selectFrom("sender").selectAll().orderBy("name").execute();
  return rows.map(({ name, hotels, created_at, disabled_at }) => ({
    name,
    hotels: hotelsOf(hotels),
    createdAt: created_at,
    disabledAt: disabled_at ?? undefined,
  }));
}

export type SenderAccess = { authenticate: Authenticate; cache: Cache };

/** Verified credentials are kept for some seconds, as hashes; a sender that is disabled is out after that. */
const KEPT_MS = 5_000;

/** Verifies the credentials of messages against the table of senders. */
export function senderAccess(database: Database): SenderAccess {
  const clock = stopwatch();
  const about = `verified credentials of channel senders, as hashes, for ${KEPT_MS / 1_000} s`;
  const cache = new MemoryCache<Authenticated>({ name: "channel-senders", about, limit: 1_000, lifetime: KEPT_MS });
  async function lookUp(credentials: Credentials | undefined, open: boolean): Promise<Authenticated> {
    const key = credentials ? hashSecret(`${credentials.name ?? ""}\0${credentials.secret}`) : "";
    const known = cache.get(key, clock());
    if (known) return known;
    const found = await verify(database, credentials, open);
    if (found.state === "sender") cache.set(key, found, clock());
    return found;
  }
  return { authenticate: lookUp, cache };
}

async function verify(database: Database, credentials: Credentials | undefined, open: boolean): Promise<Authenticated> {
  if (open && !(await hasSender(database))) return { state: "open" };
  if (!credentials) return { state: "refused" };
  const hash = hashSecret(credentials.secret);
  const sender = await findSender(database, credentials.name, hash);
  const expected = Buffer.from(sender?.hash ?? hashSecret(""));
  const same = timingSafeEqual(expected, Buffer.from(hash));
  return sender && same ? { state: "sender", name: sender.name, hotels: hotelsOf(sender.hotels) } : { state: "refused" };
}

/** A sender that is disabled closes the channel all the same: it was made to be needed. */
async function hasSender(database: Database): Promise<boolean> {
  const row = await database.read.selectFrom("sender").select("name").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A bearer token has no name: its hash is looked for. */
async function findSender(database: Database, name: string | undefined, hash: string): Promise<SenderRow | undefined> {
  const enabled = database.read.selectFrom("sender").selectAll().where("disabled_at", "is", null);
  const query = name === undefined ? enabled.where("hash", "=", hash) : enabled.where("name", "=", name);
  return query.executeTakeFirst();
}

function hotelsOf(json: string | null): readonly string[] | undefined {
  return json === null ? undefined : (JSON.parse(json) as string[]);
}
