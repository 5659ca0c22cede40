import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { isBusy } from "../faults.ts";
import { makeFile, makeFolder, syncFolder } from "../folder.ts";
import { describeForeign } from "./foreign-objects.ts";

const PAGES_PER_STEP = 1_000;
const DATABASE_FILES = ["", "-journal", "-wal", "-shm"];

export class CopyError extends Error {
  override readonly name = "CopyError";
}

export type CopyProgress = (done: number, of: number) => void;

/** Copies a database, even while it is being written. The copy gets its final name when it is complete. */
export async function copySqlite(from: string, to: string): Promise<void> {
  await copyWhole(from, to, {});
}

/** Copies a database and verifies the copy. Returns the reason if `restoreSqlite` would refuse the copy. Throws `CopyError`. */
export async function backUpSqlite(from: string, to: string, progress: CopyProgress): Promise<string | undefined> {
  if (!existsSync(from)) throw new CopyError(`${from} does not exist. Set DATA_DIR to the data folder.`);
  const existingFile = DATABASE_FILES.map((end) => to + end).find((file) => existsSync(file));
  if (existingFile !== undefined) throw new CopyError(`${existingFile} already exists. Choose another name.`);
  let obstacle: string | undefined;
  const verify = async (copy: string) => {
    checkIntegrity(copy);
    obstacle = await findObstacle(copy);
  };
  await copyChecked(from, to, { progress, verify });
  return obstacle;
}

/**
 * Replaces the database at `to`, which must not be open, and moves the old one to `previous`. Throws `CopyError` if nothing was changed.
 */
export async function restoreSqlite(copy: string, { to, previous }: { to: string; previous: string }): Promise<void> {
  if (!statSync(copy, { throwIfNoEntry: false })?.isFile()) throw new CopyError(`${copy} does not exist or is not a file.`);
  const stagedPath = `${to}.restored`;
  if (copy.startsWith(stagedPath)) throw new CopyError(`A restore would overwrite ${copy}. Rename it first.`);
  using lock = existsSync(to) ? lockExclusively(to) : undefined;
  removeFile(stagedPath);
  await copyChecked(copy, stagedPath, { verify: checkTrusted });
  // Windows cannot rename an open file.
  if (process.platform === "win32") lock?.close();
  try {
    moveAside(to, previous);
    renameFile(stagedPath, to);
  } catch (error) {
    removeFile(stagedPath);
    throw error;
  }
}

/**
 * Moves the old data to `previous`. Links it first, so that a crash leaves it in place. Also moves its log, which SQLite would otherwise
 * apply to the copy.
 */
function moveAside(from: string, previous: string): void {
  const existingFiles = DATABASE_FILES.filter((end) => existsSync(from + end));
  if (existingFiles.length === 0) return;
  makeFolder(dirname(previous));
  for (const end of existingFiles) (end === "" ? linkOrRename : renameSync)(from + end, previous + end);
  syncFolder(dirname(previous));
}

function linkOrRename(from: string, previous: string): void {
  try {
    linkSync(from, previous);
  } catch {
    renameSync(from, previous);
  }
}

function renameFile(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Copies all pages in one read transaction, because the copy would otherwise restart after every write. */
async function copyPages(from: string, to: string, progress: CopyProgress): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.exec("begin; select 1 from sqlite_master");
    const report = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      progress(totalPages - remainingPages, totalPages);
    const pages = await backup(source, to, { rate: PAGES_PER_STEP, progress: report });
    progress(pages, pages);
  } finally {
    source.close();
  }
}

async function copyChecked(from: string, to: string, copying: CopyOptions): Promise<void> {
  try {
    removeFile(unfinishedPath(to));
    await copyWhole(from, to, copying);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CopyError(`${from} cannot be copied to ${to}: ${reason}.`, { cause: error });
  }
}

type CopyOptions = { progress?: CopyProgress; verify?: (copy: string) => Promise<void> };

async function copyWhole(from: string, to: string, { progress = () => {}, verify }: CopyOptions): Promise<void> {
  const copy = unfinishedPath(to);
  makeFolder(dirname(copy));
  makeFile(copy);
  try {
    await copyPages(from, copy, progress);
    makeStandalone(copy);
    await verify?.(copy);
  } catch (error) {
    removeFile(copy);
    throw error;
  }
  renameFile(copy, to);
}

function unfinishedPath(file: string): string {
  return `${file}.unfinished`;
}

/** Switches a copy out of WAL mode, in which it would need a separate log file. */
function makeStandalone(file: string): void {
  using database = new DatabaseSync(file);
  database.exec("pragma journal_mode = delete");
}

/**
 * Checks whether a file can be trusted. Checks the schema first, because an integrity check would run code from an untrusted
 * schema.
 */
async function checkTrusted(file: string): Promise<void> {
  const obstacle = await findObstacle(file);
  if (obstacle !== undefined) throw new Error(obstacle);
  checkIntegrity(file);
}

async function findObstacle(file: string): Promise<string | undefined> {
  using database = openChecked(file);
  try {
    if (!isRoomrackDatabase(database)) return NOT_ROOMRACK_TEXT;
    return await describeForeign(database);
  } catch (error) {
    return `it is damaged: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function checkIntegrity(file: string): void {
  using database = openChecked(file);
  const checkResult = String(database.prepare("pragma integrity_check(1)").get()!["integrity_check"]);
  if (checkResult !== "ok") throw new Error(`it is damaged: ${checkResult.split("\n").at(-1)}`);
  if (!isRoomrackDatabase(database)) throw new Error(NOT_ROOMRACK_TEXT);
}

const NOT_ROOMRACK_TEXT = "it is not a Roomrack database";

function isRoomrackDatabase(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
}

function openChecked(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("pragma trusted_schema = off");
  return database;
}

/** Locks the database until the result is closed. A damaged database is not locked, because no service can open it. */
function lockExclusively(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = delete; begin exclusive");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new CopyError(`${file} is in use. Stop the service and any other program that has it open.`, { cause: error });
    return undefined;
  }
}

function removeFile(file: string): void {
  for (const end of DATABASE_FILES) rmSync(file + end, { force: true });
}
