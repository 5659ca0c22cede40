import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";

/** `hasAll` means that the sender can access all properties. */
export type ActiveSender = { name: string; hasAll: boolean; createdAt: number; expiresAt: number | undefined; usedAt: number | undefined };

export async function listActiveSenders({ read }: Database, now: number): Promise<ActiveSender[]> {
  const rows = await read
    .selectFrom("sender")
    .select(["name", "hotels", "created_at", "expires_at", "used_at"])
    .where("disabled_at", "is", null)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", now)]))
    .orderBy("name")
    .execute();
  return rows.map(({ name, hotels, created_at: createdAt, expires_at, used_at }) => {
    return { name, hasAll: hotels === null, createdAt, expiresAt: expires_at ?? undefined, usedAt: used_at ?? undefined };
  });
}

/** Returns the latest time stored by any process, or 0 in an empty database. It is in the future if the clock was set back. */
export async function findNewestTime({ read }: Database): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select max(at) as at from (
      select max(seen_at) as at from pruning_time
      union all select max(at) as at from (select at from audit order by id desc limit 10) recent_entries
      union all select max(received_at) as at from (select received_at from message order by id desc limit 10) recent_messages
    ) times`.execute(read);
  return Number(rows[0]?.at ?? 0);
}
