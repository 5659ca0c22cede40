import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import type { Database, Statement, Value } from "../../db/database.ts";
import type { ErrorEntryRow, Tables } from "../../db/schema.ts";

/** A row as it is written; `key` is in the text of `detail` and tells it from every other. */
export type NewErrorRow = Omit<ErrorEntryRow, "id"> & { key: string };

const CHUNK = 64;

/** Stores rows in their order. */
export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[]): Promise<void> {
  const write = chunksOf(rows).map(insertion);
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

/** Stores the rows that are not there yet: whoever kept them may not know whether the database took them. */
export async function takeInErrorEntries(database: Database, rows: readonly NewErrorRow[]): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: rows.map((row) => ({
      sql: "select count(*) as there from error_entry where at = ? and detail like ?",
      values: [row.at, `%"key":"${row.key}"%`],
    })),
    decide: (found) => ({
      write: rows.filter((_, index) => Number(found[index]![0]!.there) === 0).map((row) => insertion([row])),
      result: undefined,
    }),
  });
}

function insertion(rows: readonly NewErrorRow[]): Statement {
  return { sql: rows.length === CHUNK ? INSERT_CHUNK : insertOf(rows.length), values: rows.flatMap(valuesOf) };
}

const INSERT_CHUNK = insertOf(CHUNK);

function insertOf(rows: number): string {
  const values = Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?)");
  return `insert into error_entry (at, class, message, source, caught, status, detail) values ${values.join(", ")}`;
}

function valuesOf({ at, class: name, message, source, caught, status, detail }: NewErrorRow): Value[] {
  return [at, name, message, source, caught, status, detail];
}

/** Deletes at most `limit` of the entries from before `at` or, ids being counted, more than `keep` before the newest. Answers how many. */
export async function pruneErrorEntries(
  database: Database,
  { at, keep, limit }: { at: number; keep: number; limit: number },
): Promise<number> {
  const newest = await database.read
    .selectFrom("error_entry")
    .select((of) => of.fn.max("id").as("id"))
    .executeTakeFirst();
  const byAge = await prune(database, limit, (where) => where("at", "<", at));
  const byCount = await prune(database, limit - byAge, (where) => where("id", "<=", (newest?.id ?? 0) - keep));
  return byAge + byCount;
}

async function prune(
  database: Database,
  limit: number,
  condition: (where: ExpressionBuilder<Tables, "error_entry">) => ExpressionWrapper<Tables, "error_entry", SqlBool>,
): Promise<number> {
  if (limit <= 0) return 0;
  const old = await database.read.selectFrom("error_entry").select("id").where(condition).limit(limit).execute();
  if (old.length === 0) return 0;
  const ids = old.map((row) => row.id);
  await database.write.deleteFrom("error_entry").where("id", "in", ids).execute();
  return ids.length;
}
