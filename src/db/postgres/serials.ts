import type { Pool } from "pg";
import type { SerialAccess } from "../database.ts";

const READ_SERIALS = `select c.relname as name, coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0)
    as highest
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attidentity <> ''`;

const RAISE_SERIAL = "select setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)";

export function postgresSerials(pool: Pool): SerialAccess {
  const readSerials = async () => {
    const { rows } = await pool.query<{ name: string; highest: number }>(READ_SERIALS);
    return new Map(rows.map(({ name, highest }) => [name, highest]));
  };
  return {
    insert: "overriding system value",
    read: readSerials,
    async raise(highest) {
      const current = await readSerials();
      for (const [name, key] of highest) if (key > (current.get(name) ?? key)) await pool.query(RAISE_SERIAL, [name, key]);
    },
  };
}
