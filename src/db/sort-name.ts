import { sql } from "kysely";
import type { Database } from "./database.ts";
import { plainWords } from "./search.ts";

/** What Unicode has as letters of their own, and people look for beside others. */
const LETTERS: Readonly<Record<string, string>> = { æ: "ae", ð: "d", đ: "d", ħ: "h", ı: "i", ł: "l", œ: "oe", ø: "o", ß: "ss", þ: "th" };
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Keeps a key within what PostgreSQL takes in an index. */
const LETTERS_COMPARED = 100;

/**
 * Where a name stands among others, to be compared byte by byte: by its words, whatever their case, accents and what is between
 * them, numbers by what they are worth. Names that are the same but for these stand by what they are, so that no two have the same key.
 */
export function sortName(name: string): string {
  const letters = plainWords(name)
    .join(" ")
    .replaceAll(LETTER, (letter) => LETTERS[letter]!)
    .replaceAll(/\d+/g, byLength);
  return `${letters.slice(0, LETTERS_COMPARED)}\t${name}`;
}

/** A number behind its length, nines for what is longer than nine digits: `2` before `10`, and both before letters. */
function byLength(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, "");
  return `${"9".repeat(Math.floor(number.length / 9))}${number.length % 9}${number}`;
}

/** A row with the key by which it is sorted; whoever writes a name writes it with its key. */
export function sorted<Row extends { name: string }>(row: Row): Row & { sort_name: string } {
  return { ...row, sort_name: sortName(row.name) };
}

const KEYS = { property: ["code"], category: ["property", "code"] } as const;

/** Keeps a statement within the values that both engines take. */
const ROWS_AT_ONCE = 500;

/** Makes the keys of rows that have none, as those of a version that did not sort by them. */
export async function sortUnsorted(database: Database): Promise<void> {
  for (const table of ["property", "category"] as const) while (await sortSome(database, table));
}

/**
 * Two processes may do this at once: each takes the rows in the same order, and leaves what has a key meanwhile. That is not a
 * condition of the update, or SQLite would look through all rows that have none instead of finding each by its code.
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
