import type { Database, Statement, Value } from "../../../db/database.ts";
import type { ErrorEntryRow } from "../../../db/schema.ts";
import type { Grouping } from "../describe/grouping.ts";
import { countStatements, type Telling } from "./tally-store.ts";
import { tallyRows } from "./tally.ts";

/** A row as it is written; `key` is in the text of `detail` and tells it from every other. */
export type NewErrorRow = Omit<ErrorEntryRow, "id" | "group_id"> & { key: string; group: Grouping };

const CHUNK = 64;

/** Stores rows in their order, and counts them into their groups. */
export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[], telling: Telling): Promise<void> {
  const write = [...chunksOf(rows).map(insertion), ...countStatements(tallyRows(rows), telling)];
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

/** Full chunks and then single rows, so that the engine meets two statements only and keeps both prepared. */
function chunksOf(rows: readonly NewErrorRow[]): NewErrorRow[][] {
  const full = Math.floor(rows.length / CHUNK) * CHUNK;
  const chunks: NewErrorRow[][] = [];
  for (let start = 0; start < full; start += CHUNK) chunks.push(rows.slice(start, start + CHUNK));
  for (const row of rows.slice(full)) chunks.push([row]);
  return chunks;
}

/** The id that the database gave to a row. */
export async function findErrorId(database: Database, { at, key }: NewErrorRow): Promise<number | undefined> {
  const mark = `%"key":"${key}"%`;
  const found = await database.read
    .selectFrom("error_entry")
    .select("id")
    .where("at", "=", at)
    .where("detail", "like", mark)
    .executeTakeFirst();
  return found?.id;
}

/** Stores and counts the rows that are not there yet: whoever kept them may not know whether the database took them. */
export async function takeInErrorEntries(database: Database, rows: readonly NewErrorRow[], telling: Telling): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: rows.map((row) => ({
      sql: "select count(*) as there from error_entry where at = ? and detail like ?",
      values: [row.at, `%"key":"${row.key}"%`],
    })),
    decide: (found) => {
      const missing = rows.filter((_, index) => Number(found[index]![0]!.there) === 0);
      const write = [...missing.map((row) => insertion([row])), ...countStatements(tallyRows(missing), telling)];
      return { write, result: undefined };
    },
  });
}

function insertion(rows: readonly NewErrorRow[]): Statement {
  return { sql: rows.length === CHUNK ? INSERT_CHUNK : insertOf(rows.length), values: rows.flatMap(valuesOf) };
}

const INSERT_CHUNK = insertOf(CHUNK);

function insertOf(rows: number): string {
  const values = Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?, ?)");
  return `insert into error_entry (at, class, message, source, caught, status, detail, group_id) values ${values.join(", ")}`;
}

function valuesOf({ at, class: name, message, source, caught, status, detail, group }: NewErrorRow): Value[] {
  return [at, name, message, source, caught, status, detail, group.id];
}
