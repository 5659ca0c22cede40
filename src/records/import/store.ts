import type { Selectable } from "kysely";
import type { Database, Statement } from "../../db/database.ts";
import type { ImportLineRow, ImportRow } from "../../db/import-rows.ts";
import { type InsertTemplate, insertRows } from "../../db/statements.ts";
import { type By, createAudit } from "../audit.ts";
import type { ReadRow, RowDetail } from "./read-row.ts";

/** `columns` contains the field of each column of the file, or null. Times are in milliseconds since 1970. */
export type Import = Omit<Selectable<ImportRow>, "header" | "columns"> & { header: readonly string[]; columns: readonly (string | null)[] };

export type NewImport = Pick<Import, "kind" | "source" | "name" | "encoding" | "delimiter" | "header" | "columns">;

/** Creates an import without its file. Add the parts, then move it from “uploading” to “columns”. */
export async function createImport({ write }: Database, { header, columns, ...added }: NewImport, by: By): Promise<number> {
  const row = { ...added, header: JSON.stringify(header), columns: JSON.stringify(columns), state: "uploading", fault: null } as const;
  const absentColumns = { finished_by: null, finished_at: null, undone_by: null, undone_at: null };
  const { id } = await write
    .insertInto("import")
    .values({ ...row, ...absentColumns, created_by: by.actor, created_at: by.at })
    .returning("id")
    .executeTakeFirstOrThrow();
  await createAudit(write, { ...by, action: "upload", subject: importSubject(id), changes: [{ field: "file", from: "", to: added.name }] });
  return id;
}

export function importSubject(id: number): string {
  return `import:${id}`;
}

/** Adds a part of the file. `bytes` is compressed UTF-8. */
export async function addPart({ write }: Database, part: { import: number; part: number; bytes: Uint8Array }): Promise<void> {
  await write.insertInto("import_part").values(part).execute();
}

export async function deleteParts({ write }: Database, id: number): Promise<void> {
  await write.deleteFrom("import_part").where("import", "=", id).execute();
}

export async function* readParts({ read }: Database, id: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const row = await read.selectFrom("import_part").select("bytes").where("import", "=", id).where("part", "=", part).executeTakeFirst();
    if (!row) return;
    yield row.bytes;
  }
}

export async function findImport({ read }: Database, id: number): Promise<Import | undefined> {
  const row = await read.selectFrom("import").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toImport(row);
}

/** Lists the newest imports first. */
export async function listImports({ read }: Database, limit: number): Promise<Import[]> {
  const rows = await read.selectFrom("import").selectAll().orderBy("id", "desc").limit(limit).execute();
  return rows.map(toImport);
}

function toImport({ header, columns, ...row }: Selectable<ImportRow>): Import {
  return { ...row, header: JSON.parse(header) as string[], columns: JSON.parse(columns) as (string | null)[] };
}

export type StateChange = { from: Import["state"]; to: Import["state"]; fault?: string | undefined };

/** Changes the state, unless another request has already done so. Returns whether it changed. */
export async function changeImportState({ write }: Database, id: number, { from, to, fault }: StateChange): Promise<boolean> {
  const update = write.updateTable("import").set({ state: to, fault: fault ?? null });
  const { numUpdatedRows } = await update.where("id", "=", id).where("state", "=", from).executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Sets the record type and columns of a file that has not been imported yet. Returns whether they were set. */
export async function setColumns({ write }: Database, id: number, { kind, columns }: Pick<Import, "kind" | "columns">): Promise<boolean> {
  const update = write.updateTable("import").set({ kind, columns: JSON.stringify(columns), state: "columns", fault: null });
  const { numUpdatedRows } = await update.where("id", "=", id).where("state", "in", ["columns", "ready"]).executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export type LineOutcome = ImportLineRow["outcome"];
export const OUTCOMES: readonly LineOutcome[] = ["new", "changed", "unchanged", "fault"];

export type OutcomeCounts = Readonly<Record<LineOutcome, number>>;

export async function countRows({ read }: Database, id: number): Promise<OutcomeCounts> {
  const rows = await read
    .selectFrom("import_row")
    .select(({ fn }) => ["outcome", fn.countAll<number>().as("count")])
    .where("import", "=", id)
    .groupBy("outcome")
    .execute();
  const countByOutcome = new Map(rows.map(({ outcome, count }) => [outcome, count]));
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, countByOutcome.get(outcome) ?? 0])) as Record<LineOutcome, number>;
}

export type ImportLine = Omit<Selectable<ImportLineRow>, "import" | "detail"> & { detail: RowDetail };

export type LineQuery = { outcomes: readonly LineOutcome[]; page: number; size: number };

export async function listLines({ read }: Database, id: number, { outcomes, page, size }: LineQuery): Promise<ImportLine[]> {
  const rows = await read
    .selectFrom("import_row")
    .select(["line", "outcome", "property", "code", "detail"])
    .where("import", "=", id)
    .where("outcome", "in", outcomes)
    .orderBy("line")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as RowDetail }));
}

const INSERT_ROWS: InsertTemplate = {
  into: "insert into import_row (import, line, outcome, property, code, detail)",
  columns: 6,
  conflict: "",
};

export type ReadLine = ReadRow & { line: number };

/** Stores rows as a batch, so that waiting for the disk doesn't block the event loop. */
export function addRows(database: Database, id: number, lines: readonly ReadLine[]): Promise<void> {
  const rows = lines.map(({ line, outcome, key, detail }) => [id, line, outcome, key.property, key.code, JSON.stringify(detail)]);
  return runBatch(database, insertRows(INSERT_ROWS, rows));
}

export function deleteRows(database: Database, id: number): Promise<void> {
  return runBatch(database, [{ sql: "delete from import_row where import = ?", values: [id] }]);
}

function runBatch(database: Database, write: readonly Statement[]): Promise<void> {
  return database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

/** Deletes an import that has not been applied, and its file. */
export async function discardImport({ write }: Database, id: number): Promise<boolean> {
  return write.transaction().execute(async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom("import")
      .where("id", "=", id)
      .where("state", "in", ["uploading", "columns", "ready"])
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    await db.deleteFrom("import_row").where("import", "=", id).execute();
    await db.deleteFrom("import_part").where("import", "=", id).execute();
    return true;
  });
}

/** Deletes imports created before `since`. They can no longer be undone. */
export async function pruneImports(database: Database, since: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  const { read, write } = database;
  for (;;) {
    signal?.throwIfAborted();
    const old = await read
      .selectFrom("import")
      .select("id")
      .where("created_at", "<", since)
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirst();
    if (!old) return;
    await write.deleteFrom("import_row").where("import", "=", old.id).execute();
    await write.deleteFrom("import_part").where("import", "=", old.id).execute();
    await write.deleteFrom("import").where("id", "=", old.id).execute();
  }
}
