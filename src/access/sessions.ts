import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";
import { type By, createAudit } from "../records/audit.ts";
import { type FoundSession, type SessionData, type SessionLimits, type SessionStore } from "../web/guard/session.ts";
import type { Role } from "../web/guard/user.ts";
import { personSubject, recordSeen } from "./people.ts";

export function sessionStore(database: Database): SessionStore {
  const { read, write } = database;
  return {
    async find(idHash) {
      const [row] = await sessionQuery(read, { idHash });
      if (row === undefined) return undefined;
      const data = JSON.parse(row.data) as SessionData;
      return { data, createdAt: row.created_at, seenAt: row.seen_at, person: sessionPerson(row, data) };
    },
    async create(idHash, { data, person = null, address = null, agent = null }, now) {
      const row = { id_hash: idHash, data: JSON.stringify(data), created_at: now, seen_at: now, person, address, agent };
      await write.insertInto("session").values(row).execute();
      if (person !== null) await recordSeen(database, person, now);
    },
    async update({ idHash, person }, data, now) {
      await write
        .updateTable("session")
        .set({ ...(data && { data: JSON.stringify(data) }), seen_at: now })
        .where("id_hash", "=", idHash)
        .execute();
      if (person !== undefined) await recordSeen(database, person.name, now);
    },
    async remove(idHash) {
      await write.deleteFrom("session").where("id_hash", "=", idHash).execute();
    },
  };
}

const sessionQuery = prepareStatement((db, { idHash }: { idHash: string }) =>
  db
    .selectFrom("session")
    .leftJoin("person", "person.name", "session.person")
    .select(["data", "session.created_at", "session.seen_at", "session.person", "role", "disabled_at", "password_at"])
    .where("id_hash", "=", idHash),
);

type SessionPersonRow = { person: string | null; role: Role | null; disabled_at: number | null; password_at: number | null };

function sessionPerson({ person, role, disabled_at, password_at }: SessionPersonRow, { signedIn }: SessionData): FoundSession["person"] {
  if (person === null || signedIn?.kind !== "person") return undefined;
  // The password may have changed between the password check and the creation of the session.
  const isOutdated = signedIn.passwordAt !== undefined && signedIn.passwordAt !== password_at;
  return role === null || disabled_at !== null || isOutdated ? "gone" : { name: person, role };
}

/** `id` is the hash of the session ID. */
export type OpenSession = { id: string; createdAt: number; seenAt: number; address: string | undefined; agent: string | undefined };

/** Returns the user's sessions, newest first. */
export async function listSessions(
  { read }: Database,
  user: string,
  { now, idleMs, lifetimeMs }: SessionLimits & { now: number },
): Promise<OpenSession[]> {
  const rows = await read
    .selectFrom("session")
    .select(["id_hash", "created_at", "seen_at", "address", "agent"])
    .where("person", "=", user)
    .where("seen_at", ">=", now - idleMs)
    .where("created_at", ">=", now - lifetimeMs)
    .orderBy("seen_at", "desc")
    .execute();
  return rows.map(({ id_hash: id, created_at: createdAt, seen_at: seenAt, address, agent }) => {
    return { id, createdAt, seenAt, address: address ?? undefined, agent: agent ?? undefined };
  });
}

/** Ends one, all but one, or all of a user's sessions. Returns the number of ended sessions. */
export async function endSessions({ write }: Database, { user, only, except }: EndedSessions, by: By): Promise<number> {
  return write.transaction().execute(async (db) => {
    let ended = db.deleteFrom("session").where("person", "=", user);
    if (only !== undefined) ended = ended.where("id_hash", "=", only);
    if (except !== undefined) ended = ended.where("id_hash", "!=", except);
    const count = Number((await ended.executeTakeFirstOrThrow()).numDeletedRows);
    if (count === 0) return 0;
    const changes = [{ field: "sessions", from: String(count), to: "ended" }];
    await createAudit(db, { ...by, action: "end sessions", subject: personSubject(user), changes });
    return count;
  });
}

/** `only` and `except` are hashes of session IDs. */
export type EndedSessions = { user: string; only?: string | undefined; except?: string | undefined };

export async function pruneSessions({ write }: Database, { since, until }: { since: number; until: number }): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom("session")
    .where((of) => of.not(of.between("seen_at", since, until)))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
