import { type RawBuilder, sql, type SqlBool } from "kysely";

/** Whether a column holds a text, in any case. SQLite folds only ASCII, so other letters are also searched as typed. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  const typed = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const folded = sql<SqlBool>`lower(${name}) like ${typed.toLowerCase()} escape '\\'`;
  if (/^\p{ASCII}*$/u.test(text)) return folded;
  return sql<SqlBool>`(${folded} or ${name} like ${typed} escape '\\')`;
}
