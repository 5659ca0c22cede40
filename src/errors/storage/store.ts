import type { Database, Statement } from "../../db/database.ts";
import type { ErrorEntryRow } from "../../db/schema.ts";
import { type Insert, insertRows } from "../../db/statements.ts";
import type { Grouping } from "../describe/grouping.ts";
import { totalBytes } from "./row-size.ts";
import { addSize } from "./size-store.ts";
import { countStatements, type Telling } from "./tally-store.ts";
import { tallyRows } from "./tally.ts";

/** A row as it is written. `key` is unique and part of the text of `detail`; `bytes` is the size of the row. */
export type NewErrorRow = Omit<ErrorEntryRow, "id" | "group_id"> & { key: string; group: Grouping; bytes: number };

/** Stores rows in their order, and counts them into their groups. */
export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[], telling: Telling): Promise<void> {
  const write = writing(rows, telling);
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
      return { write: writing(missing, telling), result: undefined };
    },
  });
}

function writing(rows: readonly NewErrorRow[], telling: Telling): Statement[] {
  return [...insertions(rows), ...countStatements(tallyRows(rows), telling), ...addSize(totalBytes(rows))];
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
