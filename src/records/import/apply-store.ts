import type { Database, Row, Statement, LongBatchStep } from "../../db/database.ts";
import { ChangesError, isDuplicate, isMissingReference } from "../../db/faults.ts";
import { type InsertTemplate, insertRows } from "../../db/statements.ts";
import { auditStatements, type By, changesBetween, type RecordChange } from "../audit.ts";
import { type OutboxEntry, outboxStatements } from "../outbox.ts";
import { writeSearchTexts } from "../search.ts";
import { type ImportKind, keyText, type RecordKey, type StoredRecord } from "./kinds.ts";
import { BATCH_SIZE } from "./prepare.ts";
import { describeKey, type RowDetail } from "./read-row.ts";
import { importSubject } from "./store.ts";

/** Thrown if a record was changed after the preview, or after the import that is being undone. Nothing was stored. */
export class ImportConflict extends Error {
  override readonly name = "ImportConflict";
}

export type ImportRun = { id: number; kind: ImportKind; direction: "import" | "undo"; by: By; onProgress(rows: number): void };

/** Imports or undoes all rows in one transaction. Throws `ImportConflict`. */
export async function applyImport(database: Database, application: ImportRun): Promise<void> {
  const locks = await findLocks(database, application);
  try {
    await database.commitLong({ locks, steps: applySteps(application) });
  } catch (error) {
    if (error instanceof ChangesError)
      throw new ImportConflict(
        `A record was changed while the ${application.direction} ran. ${NOTHING_DONE_TEXTS[application.direction]} Try again.`,
      );
    if (isDuplicate(error)) throw new ImportConflict("Another user has just created one of the new records. Read the file again.");
    if (isMissingReference(error)) throw new ImportConflict("A category's property was deleted after the preview. Read the file again.");
    throw error;
  }
}

/** Returns the locks that an import needs. New properties need no lock, because no message can refer to them yet. */
async function findLocks({ read }: Database, { id, kind, direction }: ImportRun): Promise<string[]> {
  const outcomes = kind.table.name === "property" && direction === "import" ? (["changed"] as const) : (["new", "changed"] as const);
  const rows = await read
    .selectFrom("import_row")
    .select("property")
    .distinct()
    .where("import", "=", id)
    .where("outcome", "in", outcomes)
    .execute();
  return rows.map(({ property }) => property);
}

/** A change to one record. If `from` is undefined, the record must not exist yet. If `to` is undefined, it is deleted. */
type RecordStep = { key: RecordKey; from: StoredRecord | undefined; to: StoredRecord | undefined };

function* applySteps(application: ImportRun): Generator<LongBatchStep> {
  const { id, direction, by, onProgress } = application;
  yield { read: [], decide: () => [finishImport(application)] };
  const times = { importedAt: 0, at: by.at };
  const storeTime = ([rows = []]: readonly Row[][]) => {
    const [found] = rows;
    if (!found) throw new ImportConflict("Another request has already finished this import.");
    times.importedAt = Number(found.finished_at);
    return [];
  };
  const endColumn = direction === "import" ? "finished_at" : "undone_at";
  yield { read: [{ sql: `select finished_at from import where id = ? and ${endColumn} = ?`, values: [id, by.at] }], decide: storeTime };
  const totals = { created: 0, changed: 0, deleted: 0 };
  let lines: readonly Row[] = [];
  const storeLines = (rows: readonly Row[]) => {
    lines = rows;
    return [];
  };
  for (let last = 0, done = 0; ;) {
    yield { read: [linesAfter(id, last)], decide: ([rows = []]) => storeLines(rows) };
    if (lines.length === 0) break;
    const steps = lines.map((line) => recordStep(direction, times, line));
    yield { read: checkStatements(application, steps), decide: (found) => checkedWrites(application, steps, found) };
    for (const { from, to } of steps) totals[changeKind(from, to)]++;
    last = Number(lines.at(-1)!.line);
    done += lines.length;
    onProgress(done);
  }
  yield { read: [], decide: () => closingStatements(application, totals) };
}

function changeKind(from: StoredRecord | undefined, to: StoredRecord | undefined): "created" | "changed" | "deleted" {
  if (from === undefined) return "created";
  return to === undefined ? "deleted" : "changed";
}

/** Marks the import as finished. Updates no row if another request has already done so. */
function finishImport({ id, direction, by }: ImportRun): Statement {
  const sql =
    direction === "import"
      ? "update import set state = 'done', fault = null, finished_by = ?, finished_at = ? where id = ? and state = 'importing'"
      : "update import set state = 'undone', fault = null, undone_by = ?, undone_at = ? where id = ? and state = 'undoing'";
  return { sql, values: [by.actor, by.at, id] };
}

function linesAfter(id: number, line: number): Statement {
  const sql = `select line, outcome, property, code, detail from import_row
    where import = ? and outcome in ('new', 'changed') and line > ? order by line limit ${BATCH_SIZE}`;
  return { sql, values: [id, line] };
}

type RecordTimes = { importedAt: number; at: number };

function recordStep(
  direction: ImportRun["direction"],
  { importedAt, at }: RecordTimes,
  { outcome, property, code, detail }: Row,
): RecordStep {
  const { record, before, times = {} } = JSON.parse(String(detail)) as RowDetail;
  const key = { property: String(property), code: String(code) };
  if (outcome === "new") {
    const start = Math.min(importedAt, times.createdAt ?? importedAt);
    const updatedAt = Math.max(start, Math.min(importedAt, times.updatedAt ?? importedAt));
    const storedRecord = { ...record, version: 1, createdAt: start, updatedAt };
    return direction === "import" ? { key, from: undefined, to: storedRecord } : { key, from: storedRecord, to: undefined };
  }
  const { version, createdAt, updatedAt } = before!;
  const after = { ...record, version: version + 1, createdAt, updatedAt: Math.max(at, updatedAt) };
  if (direction === "import") return { key, from: before, to: after };
  return { key, from: after, to: { ...before, version: version + 2, createdAt, updatedAt: after.updatedAt } };
}

function checkStatements(application: ImportRun, steps: readonly RecordStep[]): Statement[] {
  const { table } = application.kind;
  const current = { table, columns: table.columns, keys: recordKeys(steps) };
  const selectStatement = `select ${table.columns.join(", ")}, version, ${table.created} as created_at from ${table.name}`;
  return [selectByKeys(selectStatement, current), ...stepRules(application, steps).map(({ read }) => read)];
}

/** A step is refused if `read` finds a row. `columns` are the columns of that row that contain the record's key. */
type StepRule = { read: Statement; columns: readonly string[]; refusal(record: string): string };

function stepRules({ kind, direction }: ImportRun, steps: readonly RecordStep[]): StepRule[] {
  const { table } = kind;
  const deletedKeys = recordKeys(steps.filter(({ to }) => to === undefined));
  const convertedKeys = kind.hasPrices ? recordKeys(steps.filter(({ from, to }) => from && to && from.currency !== to.currency)) : [];
  const dependents = table.dependents.map(({ table: name, columns, problem }) => ({
    columns,
    read: selectByKeys(`select distinct ${columns.join(", ")} from ${name}`, { table, columns, keys: deletedKeys }),
    refusal: (record: string) => `${capitalise(kind.one)} ${record} cannot be deleted, because ${problem}. Nothing was undone.`,
  }));
  const columns = ["property"];
  const pricedQuery = selectByKeys("select distinct property from rate_page", { table, columns, keys: convertedKeys });
  const currency = {
    columns,
    read: { ...pricedQuery, sql: `${pricedQuery.sql} and plan <> ''` },
    refusal: (record: string) =>
      `The currency of ${kind.one} ${record} cannot be changed, because the ${kind.one} has prices. ${NOTHING_DONE_TEXTS[direction]}`,
  };
  return [...(deletedKeys.length === 0 ? [] : dependents), ...(convertedKeys.length === 0 ? [] : [currency])];
}

function recordKeys(steps: readonly RecordStep[]): RecordKey[] {
  return steps.map(({ key }) => key);
}

type KeyedTable = { table: ImportKind["table"]; columns: readonly string[]; keys: readonly RecordKey[] };

function selectByKeys(selectStatement: string, { table, columns, keys }: KeyedTable): Statement {
  const tuple = `(${columns.map(() => "?").join(", ")})`;
  const sql = `${selectStatement} where (${columns.join(", ")}) in (values ${keys.map(() => tuple).join(", ")})`;
  return { sql, values: keys.flatMap((key) => table.valuesOf(key)) };
}

function checkedWrites(application: ImportRun, steps: readonly RecordStep[], found: readonly Row[][]): Statement[] {
  checkSteps(application, steps, found);
  return writeStatements(application, steps);
}

/** Throws `ImportConflict` if a record is not as expected, or can't be changed or deleted. */
function checkSteps(application: ImportRun, steps: readonly RecordStep[], [current = [], ...others]: readonly Row[][]): void {
  const { kind, direction } = application;
  const rowsByKey = new Map(current.map((row) => [keyTextIn(row, kind.table.columns), row]));
  for (const { key, from } of steps) {
    const change = changeSince(from, rowsByKey.get(keyText(key)));
    if (change === undefined) continue;
    const changeText = `${capitalise(describeKey(kind, key))} was ${change}`;
    throw new ImportConflict(`${changeText} ${CHANGED_SINCE_TEXTS[direction]}`);
  }
  for (const [index, { columns, refusal }] of stepRules(application, steps).entries()) {
    const [row] = others[index]!;
    if (row) throw new ImportConflict(refusal(keyTextIn(row, columns)));
  }
}

function keyTextIn(row: Row, columns: readonly string[]): string {
  const [property = "", code = ""] = columns.map((column) => String(row[column]));
  return keyText({ property, code });
}

function changeSince(expected: StoredRecord | undefined, found: Row | undefined): string | undefined {
  if (!found) return expected && "deleted";
  if (!expected) return "created";
  if (Number(found.created_at) !== expected.createdAt) return "deleted and created again";
  return Number(found.version) === expected.version ? undefined : "changed";
}

const NOTHING_DONE_TEXTS = { import: "Nothing was imported.", undo: "Nothing was undone." } as const;
const CHANGED_SINCE_TEXTS = {
  import: `after the preview. ${NOTHING_DONE_TEXTS.import} Read the file again to see the current values.`,
  undo: `after the import. ${NOTHING_DONE_TEXTS.undo} Edit the records, or import another file.`,
} as const;

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function writeStatements({ kind, by }: ImportRun, steps: readonly RecordStep[]): Statement[] {
  const { table } = kind;
  const toRows = (some: readonly RecordStep[]) => some.flatMap(({ to }) => (to ? [table.toRow(to)] : []));
  const [created, replaced] = [toRows(steps.filter(({ from }) => !from)), toRows(steps.filter(({ from }) => from))];
  return [
    ...insertRecords(table, created, ""),
    ...insertRecords(table, replaced, ` on conflict (${table.columns.join(", ")}) do update set`),
    ...writeSearchTexts([...created, ...replaced].map((row) => table.searchText(row))),
    ...steps.flatMap(({ key, from, to }) => (from && !to ? removalStatements(kind, key, from) : [])),
    ...auditStatements(steps.map((step) => ({ ...by, ...recordChange(kind, step) }))),
    ...outboxStatements(steps.map(({ key }) => outboxEntry(kind, key, by.at))),
  ];
}

const insertsByTable = new Map<string, InsertTemplate>();

/**
 * Returns the statement that writes records. `conflict` is the clause that replaces existing records, unless another transaction has
 * changed them. It is empty for new records.
 */
function insertRecords({ name, created, kept }: ImportKind["table"], rows: readonly Row[], conflict: string): Statement[] {
  const [first] = rows;
  if (!first) return [];
  const all = Object.keys(first);
  const replacedColumns = all.filter((column) => !kept.includes(column));
  const isPrevious = `${name}.version = excluded.version - 1 and ${name}.${created} = excluded.${created}`;
  const insertStatement = insertsByTable.getOrInsertComputed(`${name}${conflict}`, () => ({
    into: `insert into ${name} (${all.join(", ")})`,
    columns: all.length,
    records: true,
    conflict: conflict && `${conflict} ${replacedColumns.map((column) => `${column} = excluded.${column}`).join(", ")} where ${isPrevious}`,
  }));
  const values = rows.map((row) => all.map((column) => row[column]!));
  return insertRows(insertStatement, values).map((statement) => ({ ...statement, changes: statement.values.length / all.length }));
}

function removalStatements({ name, table }: ImportKind, key: RecordKey, { version, createdAt }: StoredRecord): Statement[] {
  const whereClause = table.columns.map((column) => `${column} = ?`).join(" and ");
  return [
    { sql: "delete from search_text where kind = ? and property = ? and code = ?", values: [name, key.property, key.code] },
    ...table.remove(key),
    {
      sql: `delete from ${table.name} where ${whereClause} and version = ? and ${table.created} = ?`,
      values: [...table.valuesOf(key), version, createdAt],
      records: true,
      changes: 1,
    },
  ];
}

function recordChange(kind: ImportKind, { key, from, to }: RecordStep): RecordChange {
  const actions = { created: "create", changed: "update", deleted: "delete" } as const;
  const changes = changesBetween(from, to ?? {}, kind.fields);
  return { action: actions[changeKind(from, to)], subject: kind.subjectOf(key), changes };
}

function outboxEntry(kind: ImportKind, key: RecordKey, at: number): OutboxEntry {
  return { kind: "record", property: key.property, at, ...kind.partOf(key) };
}

/** Writes one audit entry for the whole import, and deletes the file, which is no longer needed. */
function closingStatements({ id, direction, by }: ImportRun, totals: Readonly<Record<string, number>>): Statement[] {
  const changes = Object.entries(totals).flatMap(([field, count]) => (count === 0 ? [] : [{ field, from: "", to: String(count) }]));
  return [
    ...auditStatements([{ ...by, action: direction, subject: importSubject(id), changes }]),
    { sql: "delete from import_part where import = ?", values: [id] },
  ];
}
