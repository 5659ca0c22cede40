import type { Database, Row, Statement } from "../../db/database.ts";
import { regroup } from "../describe/row.ts";
import { countStatements } from "./tally-store.ts";
import { tallyRows } from "./tally.ts";

/** Read and written in one go, which holds up those that come meanwhile. */
const AT_ONCE = 200;

/** Whether there are entries that no group was looked for yet, as those of a version that had none. */
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

/** Puts some of them into their groups, the newest first. Several processes may do this at once. */
export async function groupSome(database: Database): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: [{ sql: UNGROUPED, values: [] }],
    decide: ([found]) => {
      const rows = found!.map((row) => regroup(row as StoredRow));
      return { write: [...rows.map(assignment), ...countStatements(tallyRows(rows), "untold")], result: undefined };
    },
  });
}

/** By the group first, which all of them lack: PostgreSQL would look through those that have one, by their time, for each step anew. */
const UNGROUPED = `select id, at, class, message, source, caught, status, detail from error_entry where group_id is null
  order by group_id desc, at desc, id desc limit ${AT_ONCE}`;

type StoredRow = Row & Parameters<typeof regroup>[0] & { id: number };

function assignment({ id, group }: { id: number; group: { id: number } }): Statement {
  return { sql: "update error_entry set group_id = ? where id = ?", values: [group.id, id] };
}
