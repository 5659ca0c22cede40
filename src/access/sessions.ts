import type { Database } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import type { FoundSession, SessionData, SessionStore } from "../web/guard/session.ts";
import type { Role } from "../web/guard/user.ts";

export function sessionStore({ read, write }: Database): SessionStore {
  return {
    async find(idHash) {
      const [row] = await sessionQuery(read, { idHash });
      return row && { data: JSON.parse(row.data) as SessionData, createdAt: row.created_at, seenAt: row.seen_at, person: personOf(row) };
    },
    async create(idHash, { data, person = null, address = null, agent = null }, now) {
      const row = { id_hash: idHash, data: JSON.stringify(data), created_at: now, seen_at: now, person, address, agent };
      await write.insertInto("session").values(row).execute();
    },
    async update(idHash, data, now) {
      await write
        .updateTable("session")
        .set({ ...(data && { data: JSON.stringify(data) }), seen_at: now })
        .where("id_hash", "=", idHash)
        .execute();
    },
    async remove(idHash) {
      await write.deleteFrom("session").where("id_hash", "=", idHash).execute();
    },
  };
}

const sessionQuery = prepared((db, { idHash }: { idHash: string }) =>
  db
    .selectFrom("session")
    .leftJoin("person", "person.name", "session.person")
    .select(["data", "session.created_at", "seen_at", "session.person", "role", "disabled_at"])
    .where("id_hash", "=", idHash),
);

type Found = { person: string | null; role: Role | null; disabled_at: number | null };

function personOf({ person, role, disabled_at }: Found): FoundSession["person"] {
  if (person === null) return undefined;
  return role === null || disabled_at !== null ? "gone" : { name: person, role };
}

export async function pruneSessions({ write }: Database, { since, until }: { since: number; until: number }): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom("session")
    .where((of) => of.not(of.between("seen_at", since, until)))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
