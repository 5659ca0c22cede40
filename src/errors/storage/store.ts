import type { Database, Row, Statement } from "../../db/database.ts";
import { type Insert, insertRows } from "../../db/statements.ts";
import { type AlertMode, countStatements, sumByGroup } from "./group-count-store.ts";
import { type NewErrorRow, totalBytes, withGroup } from "./row.ts";
import { addSize } from "./size-store.ts";

export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[], mode: AlertMode): Promise<void> {
  const write = insertAndCount(rows, mode);
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

/** Stores and counts only the rows that are missing, because a commit can succeed although its response was lost. */
export async function createMissingErrorEntries(database: Database, rows: readonly NewErrorRow[], mode: AlertMode): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: rows.map((row) => ({
      sql: "select count(*) as stored from error_entry where at = ? and key = ?",
      values: [row.at, row.key],
    })),
    decide: (found) => {
      const missing = rows.filter((_, index) => Number(found[index]![0]!.stored) === 0);
      return { write: insertAndCount(missing, mode), result: undefined };
    },
  });
}

export async function findErrorId(database: Database, row: NewErrorRow): Promise<number | undefined> {
  const found = await database.read
    .selectFrom("error_entry")
    .select("id")
    .where("at", "=", row.at)
    .where("key", "=", row.key)
    .executeTakeFirst();
  return found?.id;
}

function insertAndCount(rows: readonly NewErrorRow[], mode: AlertMode): Statement[] {
  return [...insertStatements(rows), ...countStatements(sumByGroup(rows), mode), ...addSize(totalBytes(rows))];
}

const ENTRY: Insert = {
  into: "insert into error_entry (at, class, message, source, caught, status, detail, key, group_id)",
  columns: 9,
  conflict: "",
};

function insertStatements(rows: readonly NewErrorRow[]): Statement[] {
  return insertRows(
    ENTRY,
    rows.map(({ at, class: name, message, source, caught, status, detail, key, group }) => {
      return [at, name, message, source, caught, status, detail, key, group.id];
    }),
  );
}

const GROUPING_BATCH = 200;

/** Whether a version without groups left entries that still have to be grouped. */
export async function hasUngrouped({ read }: Pick<Database, "read">): Promise<boolean> {
  const row = await read
    .selectFrom("error_entry")
    .select("id")
    .where("group_id", "is", null)
    .orderBy("group_id")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Groups one batch of them, newest first. Safe to run in several processes at once. */
export async function groupBatch(database: Database): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: [{ sql: UNGROUPED, values: [] }],
    decide: ([found]) => {
      const rows = found!.map((row) => withGroup(row as StoredRow));
      return { write: [...rows.map(assignStatement), ...countStatements(sumByGroup(rows), "silent")], result: undefined };
    },
  });
}

/** Ordering by group_id first makes PostgreSQL use its index. By time alone, each batch would scan all grouped entries. */
const UNGROUPED = `select id, at, class, message, source, caught, status, detail from error_entry where group_id is null
  order by group_id desc, at desc, id desc limit ${GROUPING_BATCH}`;

type StoredRow = Row & Parameters<typeof withGroup>[0] & { id: number };

function assignStatement({ id, group }: { id: number; group: { id: number } }): Statement {
  return { sql: "update error_entry set group_id = ? where id = ?", values: [group.id, id] };
}
