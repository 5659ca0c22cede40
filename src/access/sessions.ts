import type { Database } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import type { SessionData, SessionStore } from "../web/guard/session.ts";

export function sessionStore({ read, write }: Database): SessionStore {
  return {
    async find(idHash) {
      const [row] = await sessionQuery(read, { idHash });
      return row && { data: JSON.parse(row.data) as SessionData, createdAt: row.created_at, seenAt: row.seen_at };
    },
    async create(idHash, data, now) {
      const row = { id_hash: idHash, data: JSON.stringify(data), created_at: now, seen_at: now };
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

const sessionQuery = prepared((db, { idHash }: { idHash: string }) => db.selectFrom("session").selectAll().where("id_hash", "=", idHash));

export async function pruneSessions({ write }: Database, { since, until }: { since: number; until: number }): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom("session")
    .where((of) => of.not(of.between("seen_at", since, until)))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
