import { type Kysely, sql } from "kysely";
import type { SerialAccess } from "../database.ts";
import type { Tables } from "../schema.ts";

export function sqliteSerials(db: Kysely<Tables>): SerialAccess {
  return {
    insert: "",
    async read() {
      const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db);
      return new Map(rows.map(({ name, seq }) => [name, seq]));
    },
    /** Adds missing rows first, because a table has no row in `sqlite_sequence` until its first insert. */
    async raise(highest) {
      for (const [name, key] of highest) {
        await sql`insert into sqlite_sequence (name, seq) select ${name}, 0
          where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(db);
        await sql`update sqlite_sequence set seq = max(seq, ${key}) where name = ${name}`.execute(db);
      }
    },
  };
}
