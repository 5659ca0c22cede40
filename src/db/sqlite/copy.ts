import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { isBusy } from "../faults.ts";
import { makeFile, makeFolder, syncFolder } from "../folder.ts";
import { describeForeign } from "./foreign-objects.ts";

const PAGES_AT_ONCE = 1_000;
const FILES = ["", "-journal", "-wal", "-shm"];

export class CopyError extends Error {
  override readonly name = "CopyError";
}

export type CopyProgress = (done: number, of: number) => void;

/** Copies a database, even while it is written to. The copy gets its name when it is complete. */
export async function copySqlite(from: string, to: string): Promise<void> {
  await copyWhole(from, to, {});
}

/** Also verifies the copy. Returns the reason why `restoreSqlite` would refuse it, if any. Throws `CopyError`. */
export async function backUpSqlite(from: string, to: string, progress: CopyProgress): Promise<string | undefined> {
  if (!existsSync(from)) throw new CopyError(`${from} does not exist. Set DATA_DIR to the data folder.`);
  const existing = FILES.map((end) => to + end).find((file) => existsSync(file));
  if (existing !== undefined) throw new CopyError(`${existing} already exists. Choose another name.`);
  let obstacle: string | undefined;
  const verify = async (copy: string) => {
    checkWhole(copy);
    obstacle = await findObstacle(copy);
  };
  await copyChecked(from, to, { progress, verify });
  return obstacle;
}

/** Replaces the database at `to`, which must not be open. The old one becomes `kept`. Throws `CopyError`, changing nothing. */
export async function restoreSqlite(copy: string, { to, kept }: { to: string; kept: string }): Promise<void> {
  if (!statSync(copy, { throwIfNoEntry: false })?.isFile()) throw new CopyError(`${copy} does not exist or is not a file.`);
  const fresh = `${to}.restored`;
  if (copy.startsWith(fresh)) throw new CopyError(`A restore would overwrite ${copy}. Rename it first.`);
  using lock = existsSync(to) ? lockOut(to) : undefined;
  remove(fresh);
  await copyChecked(copy, fresh, { verify: checkTrusted });
  // Windows cannot rename an open file.
  if (process.platform === "win32") lock?.close();
  try {
    setAside(to, kept);
    rename(fresh, to);
  } catch (error) {
    remove(fresh);
    throw error;
  }
}

/** Links first, so that a crash leaves the old data in place. Moves a leftover log too: SQLite would apply it to the copy. */
function setAside(from: string, kept: string): void {
  const left = FILES.filter((end) => existsSync(from + end));
  if (left.length === 0) return;
  makeFolder(dirname(kept));
  for (const end of left) (end === "" ? linkOrRename : renameSync)(from + end, kept + end);
  syncFolder(dirname(kept));
}

function linkOrRename(from: string, kept: string): void {
  try {
    linkSync(from, kept);
  } catch {
    renameSync(from, kept);
  }
}

function rename(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Reads in one transaction; otherwise the copy would restart after every write. */
async function copyPages(from: string, to: string, progress: CopyProgress): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.exec("begin; select 1 from sqlite_master");
    const report = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      progress(totalPages - remainingPages, totalPages);
    const pages = await backup(source, to, { rate: PAGES_AT_ONCE, progress: report });
    progress(pages, pages);
  } finally {
    source.close();
  }
}

async function copyChecked(from: string, to: string, copying: Copying): Promise<void> {
  try {
    remove(unfinished(to));
    await copyWhole(from, to, copying);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CopyError(`${from} cannot be copied to ${to}: ${reason}.`, { cause: error });
  }
}

type Copying = { progress?: CopyProgress; verify?: (copy: string) => Promise<void> };

async function copyWhole(from: string, to: string, { progress = () => {}, verify }: Copying): Promise<void> {
  const copy = unfinished(to);
  makeFolder(dirname(copy));
  makeFile(copy);
  try {
    await copyPages(from, copy, progress);
    makeStandalone(copy);
    await verify?.(copy);
  } catch (error) {
    remove(copy);
    throw error;
  }
  rename(copy, to);
}

function unfinished(file: string): string {
  return `${file}.unfinished`;
}

/** A copy in WAL mode would need a log file beside it. */
function makeStandalone(file: string): void {
  using database = new DatabaseSync(file);
  database.exec("pragma journal_mode = delete");
}

/** Checks the schema first, because an integrity check runs code in the schema of an untrusted file. */
async function checkTrusted(file: string): Promise<void> {
  const obstacle = await findObstacle(file);
  if (obstacle !== undefined) throw new Error(obstacle);
  checkWhole(file);
}

async function findObstacle(file: string): Promise<string | undefined> {
  using database = openChecked(file);
  try {
    if (!isOurs(database)) return NOT_OURS;
    return await describeForeign(database);
  } catch (error) {
    return `it is damaged: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function checkWhole(file: string): void {
  using database = openChecked(file);
  const found = String(database.prepare("pragma integrity_check(1)").get()!["integrity_check"]);
  if (found !== "ok") throw new Error(`it is damaged: ${found.split("\n").at(-1)}`);
  if (!isOurs(database)) throw new Error(NOT_OURS);
}

const NOT_OURS = "it is not a Roomrack database";

function isOurs(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
}

function openChecked(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("pragma trusted_schema = off");
  return database;
}

/** Locks the database until the result is closed. A damaged one is not locked, because no service can open it. */
function lockOut(file: string): DatabaseSync | undefined {
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

function remove(file: string): void {
  for (const end of FILES) rmSync(file + end, { force: true });
}
