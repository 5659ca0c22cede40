import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import type { Database, Row, Statement } from "../../db/database.ts";
import type { ErrorEntryRow } from "../../db/error-log-rows.ts";
import type { Tables } from "../../db/schema.ts";
import { type InsertTemplate, insertRows } from "../../db/statements.ts";
import { ALGORITHM_VERSION, type ErrorGrouping, groupError } from "../describe/grouping.ts";
import type { ErrorDetail, NewErrorEntry } from "../entry.ts";

export async function createErrorEntries(database: Database, rows: readonly NewErrorRow[], mode: AlertMode): Promise<void> {
  const write = insertAndCount(rows, mode);
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

/** Stores and counts only missing rows, because an earlier commit may have succeeded even though its response was lost. */
export async function createMissingErrorEntries(database: Database, rows: readonly NewErrorRow[], mode: AlertMode): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: rows.map((row) => ({
      sql: "select count(*) as stored from error_entry where at = ? and key = ?",
      values: [row.at, row.key],
    })),
    decide: (found) => {
      const missingRows = rows.filter((_, index) => Number(found[index]![0]!.stored) === 0);
      return { write: insertAndCount(missingRows, mode), result: undefined };
    },
  });
}

export async function findErrorId(database: Database, row: NewErrorRow): Promise<number | undefined> {
  const foundRow = await database.read
    .selectFrom("error_entry")
    .select("id")
    .where("at", "=", row.at)
    .where("key", "=", row.key)
    .executeTakeFirst();
  return foundRow?.id;
}

function insertAndCount(rows: readonly NewErrorRow[], mode: AlertMode): Statement[] {
  return [...insertStatements(rows), ...countStatements(sumByGroup(rows), mode), ...addSize(totalBytes(rows))];
}

const INSERT_ENTRY: InsertTemplate = {
  into: "insert into error_entry (at, class, message, source, caught, status, detail, key, group_id)",
  columns: 9,
  conflict: "",
};

function insertStatements(rows: readonly NewErrorRow[]): Statement[] {
  return insertRows(
    INSERT_ENTRY,
    rows.map(({ at, class: name, message, source, caught, status, detail, key, group }) => {
      return [at, name, message, source, caught, status, detail, key, group.id];
    }),
  );
}

const GROUPING_BATCH = 200;

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

export async function groupBatch(database: Database): Promise<void> {
  await database.commit({
    lock: "error_entry",
    read: [{ sql: SELECT_UNGROUPED, values: [] }],
    decide: ([found]) => {
      const rows = found!.map((row) => withGroup(row as StoredRow));
      return {
        write: [
          ...rows.map(({ id, group }) => ({ sql: ASSIGN_GROUP, values: [group.id, id] })),
          ...countStatements(sumByGroup(rows), "silent"),
        ],
        result: undefined,
      };
    },
  });
}

/** Ordering by group_id first lets PostgreSQL use its index. Ordering by time alone would make each batch scan all grouped entries. */
const SELECT_UNGROUPED = `select id, at, class, message, source, caught, status, detail from error_entry where group_id is null
  order by group_id desc, at desc, id desc limit ${GROUPING_BATCH}`;

const ASSIGN_GROUP = "update error_entry set group_id = ? where id = ?";

type StoredRow = Row & Parameters<typeof withGroup>[0] & { id: number };

/** `key` is unique and part of `detail`, so that a row can be found before its ID is known. */
export type NewErrorRow = Omit<ErrorEntryRow, "id" | "group_id"> & { key: string; group: ErrorGrouping; bytes: number };

const PROCESS_ID = randomBytes(9).toString("base64url");
let rowCount = 0;

export function toRow(entry: NewErrorEntry, group = groupError(entry)): NewErrorRow {
  const { at, class: name, message, source, caught, status, detail } = entry;
  const key = `${PROCESS_ID}-${++rowCount}`;
  const text = `${JSON.stringify(detail).slice(0, -1)},"key":"${key}"}`;
  const row = { at, class: name, message, source, caught: caught ? 1 : 0, status: status ?? null, detail: text };
  return { ...row, key, group, bytes: rowBytes(row) };
}

export function withGroup<R extends Omit<NewErrorRow, "group" | "key" | "bytes">>(row: R): R & Pick<NewErrorRow, "group"> {
  const { trace } = JSON.parse(row.detail) as ErrorDetail;
  return { ...row, group: groupError({ ...row, detail: { trace } }) };
}

export function totalBytes(rows: readonly NewErrorRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

export type AlertMode = "alert" | "silent";

type CountedRow = Omit<NewErrorRow, "key" | "detail" | "bytes">;

export type GroupIncrement = {
  group: ErrorGrouping;
  newest: CountedRow;
  count: number;
  firstAt: number;
  hours: Map<number, number>;
};

/** Sums rows by group, sorted by group id: all writers lock groups in this order, which prevents deadlocks. */
export function sumByGroup(rows: readonly CountedRow[]): GroupIncrement[] {
  const increments = new Map<number, GroupIncrement>();
  for (const row of rows) {
    const hour = Math.floor(row.at / HOUR_MS);
    const increment = increments.get(row.group.id);
    if (increment) add(increment, row, hour);
    else increments.set(row.group.id, { group: row.group, newest: row, count: 1, firstAt: row.at, hours: new Map([[hour, 1]]) });
  }
  return [...increments.values()].toSorted((a, b) => a.group.id - b.group.id);
}

function add(increment: GroupIncrement, row: CountedRow, hour: number): void {
  increment.count++;
  increment.hours.set(hour, (increment.hours.get(hour) ?? 0) + 1);
  if (row.at >= increment.newest.at) increment.newest = row;
  if (row.at < increment.firstAt) increment.firstAt = row.at;
}

export function countStatements(increments: readonly GroupIncrement[], mode: AlertMode): Statement[] {
  const alert = mode === "alert" ? 1 : null;
  return [
    ...increments.flatMap(hourStatements),
    ...increments.map((increment) => groupStatement(increment, alert)),
    ...increments.map((increment) => reopenStatement(increment, alert)),
  ];
}

function hourStatements({ group, hours }: GroupIncrement): Statement[] {
  return [...hours].toSorted(([a], [b]) => a - b).map(([hour, count]) => ({ sql: COUNT_HOUR, values: [group.id, hour, count] }));
}

const COUNT_HOUR = `insert into error_hour (group_id, hour, count) values (?, ?, ?)
  on conflict (group_id, hour) do update set count = error_hour.count + excluded.count`;

function groupStatement({ group, newest, count, firstAt }: GroupIncrement, alert: number | null): Statement {
  const { id, pattern, place } = group;
  const { class: name, source, message, caught, status, at } = newest;
  const values = [id, name, source, message, caught, status, ALGORITHM_VERSION, pattern, place, count, firstAt, at, firstAt, alert];
  return { sql: COUNT_GROUP, values };
}

const COUNT_GROUP = `insert into error_group (id, class, source, message, caught, status, algorithm, pattern, place, count, first_at, last_at,
    state, state_why, state_at, alert) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', 'new', ?, ?)
  on conflict (id) do update set count = error_group.count + excluded.count,
    message = case when excluded.last_at >= error_group.last_at then excluded.message else error_group.message end,
    caught = case when excluded.last_at >= error_group.last_at then excluded.caught else error_group.caught end,
    status = case when excluded.last_at >= error_group.last_at then excluded.status else error_group.status end,
    first_at = case when excluded.first_at < error_group.first_at then excluded.first_at else error_group.first_at end,
    last_at = case when excluded.last_at > error_group.last_at then excluded.last_at else error_group.last_at end`;

/** Returns the statement that reopens a group. Entries older than the last state change don't reopen it, even if they are stored later. */
function reopenStatement({ group, newest, hours }: GroupIncrement, alert: number | null): Statement {
  return { sql: REOPEN_GROUP, values: [newest.at, alert, group.id, newest.at, Math.min(...hours.keys())] };
}

const REOPEN_GROUP = `update error_group set state = 'open', state_why = case state when 'resolved' then 'regressed' else 'louder' end,
    state_at = ?, alert = ?, muted_until = null, mute_above = null, mute_base = null
  where id = ? and state_at < ? and (state = 'resolved' or (state = 'muted' and mute_above < (
    select max(count - case hour when error_group.state_at / 3600000 then error_group.mute_base else 0 end) from error_hour
    where group_id = error_group.id and hour >= error_group.state_at / 3600000 and hour >= ?)))`;

const ENTRY_OVERHEAD_BYTES = 200;

export function rowBytes({ class: name, message, detail }: Pick<ErrorEntryRow, "class" | "message" | "detail">): number {
  return Buffer.byteLength(`${name}${message}${detail}`) + ENTRY_OVERHEAD_BYTES;
}

/** The size of an entry, as computed by `rowBytes`. Both engines can determine a value's length without reading it. */
export const entryBytes = sql<number>`octet_length(class) + octet_length(message) + octet_length(detail) + ${sql.lit(ENTRY_OVERHEAD_BYTES)}`;

/** Adds to the stored log size. Put these statements last in a batch, because concurrent writers wait for this row. */
export function addSize(bytes: number): Statement[] {
  return bytes === 0 ? [] : [{ sql: "update error_size set bytes = bytes + ?", values: [bytes] }];
}

export async function subtractSize(db: Kysely<Tables>, bytes: number): Promise<void> {
  await db
    .updateTable("error_size")
    .set((eb) => ({ bytes: eb("bytes", "-", bytes) }))
    .execute();
}

export async function readSize({ read }: Database): Promise<number> {
  const row = await read.selectFrom("error_size").select("bytes").executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Returns the size and locks it until the transaction ends, so that two processes never prune the same excess. */
export async function lockSize(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .updateTable("error_size")
    .set((eb) => ({ bytes: eb.ref("bytes") }))
    .returning("bytes")
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Recomputes the size after entries have been deleted manually. Reads every entry, so call it only when few are left. */
export async function recountSize(db: Kysely<Tables>): Promise<void> {
  await sql`update error_size set bytes = (select coalesce(sum(${entryBytes}), 0) from error_entry)`.execute(db);
}
