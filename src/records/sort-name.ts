import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { plainWords } from "./search.ts";

/** Short enough for an index of PostgreSQL. */
const LETTERS_COMPARED = 100;

/**
 * A sort key for a name, compared byte by byte: by words, ignoring case, accents and what is between them, and numbers by value.
 * Names that differ only in these are sorted by their text, so that no two have the same key.
 */
export function sortName(name: string): string {
  const letters = plainWords(name).join(" ").replaceAll(/\d+/g, byLength);
  return `${letters.slice(0, LETTERS_COMPARED)}\t${name}`;
}

/** A number after its length, with nines beyond nine digits: `2` before `10`, both before letters. */
function byLength(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, "");
  return `${"9".repeat(Math.floor(number.length / 9))}${number.length % 9}${number}`;
}

/** A row with its sort key; write a name always with its key. */
export function sorted<Row extends { name: string }>(row: Row): Row & { sort_name: string } {
  return { ...row, sort_name: sortName(row.name) };
}

const KEYS = { property: ["code"], category: ["property", "code"] } as const;

/** Few enough values in a statement for both engines. */
const ROWS_AT_ONCE = 500;

/** Makes the keys of rows without one, left by a version that did not sort by them. */
export async function sortUnsorted(database: Database): Promise<void> {
  for (const table of ["property", "category"] as const) while (await sortSome(database, table));
}

/**
 * Two processes may do this at once: each takes the rows in the same order, and leaves rows that got a key meanwhile. That is no
 * condition of the update, or SQLite would scan all rows without a key instead of finding each by its code.
 */
async function sortSome({ write }: Database, table: keyof typeof KEYS): Promise<boolean> {
  const keys = KEYS[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const { rows } = await sql<Record<string, string>>`select ${columns}, name from ${sql.table(table)}
    where sort_name = '' order by ${columns} limit ${ROWS_AT_ONCE}`.execute(write);
  if (rows.length === 0) return false;
  const given = rows.map((row) => sql`(${sql.join([sortName(row.name!), ...keys.map((key) => row[key])])})`);
  const isGiven = keys.map((key, index) => sql`${sql.ref(`${table}.${key}`)} = ${sql.ref(`given.column${index + 2}`)}`);
  await sql`update ${sql.table(table)} set sort_name = case sort_name when '' then given.column1 else sort_name end
    from (values ${sql.join(given)}) as given where ${sql.join(isGiven, sql` and `)}`.execute(write);
  return true;
}
