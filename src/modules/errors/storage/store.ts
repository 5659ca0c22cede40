import type { Database, Statement } from "../../../db/database.ts";
import type { ErrorEntryRow } from "../../../db/schema.ts";
import { type Insert, insertRows } from "../../../db/statements.ts";
import type { Grouping } from "../describe/grouping.ts";
import { countStatements, type Telling } from "./tally-store.ts";
import { tallyRows } from "./tally.ts";

/** A row as it is written; `key` is in the text of `detail` and tells it from every other. */
export type NewErrorRow = Omit<ErrorEntryRow, "id" | "group_id"> & { key: string; group: Grouping };

/** Stores rows in their order, and counts them into their groups. */
export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[], telling: Telling): Promise<void> {
  const write = [...insertions(rows), ...countStatements(tallyRows(rows), telling)];
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
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
      const write = [...insertions(missing), ...countStatements(tallyRows(missing), telling)];
      return { write, result: undefined };
    },
  });
}

const ENTRY: Insert = {
  into: "insert into error_entry (at, class, message, source, caught, status, detail, group_id)",
  columns: 8,
  conflict: "",
};

function insertions(rows: readonly NewErrorRow[]): Statement[] {
  return insertRows(
    ENTRY,
    rows.map(({ at, class: name, message, source, caught, status, detail, group }) => {
      return [at, name, message, source, caught, status, detail, group.id];
    }),
  );
}
