import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { isBusy } from "../faults.ts";
import { makeFile, makeFolder, syncFolder } from "../folder.ts";
import { describeForeign } from "./foreign-objects.ts";

const PAGES_AT_ONCE = 1_000;
/** What the names of the files of a database end in. */
const FILES = ["", "-journal", "-wal", "-shm"];

/** A copy cannot be made or put back for a reason that the person at the terminal can mend. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/** Told after each step how many pages of how many are copied. */
export type CopyProgress = (done: number, of: number) => void;

/**
 * Copies the database at `from` as it is now, while others may write to it, into a new file that stands alone. It has its name once it is
 * whole; when copying fails, nothing is left.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  await copyWhole(from, to, {});
}

/**
 * The same, for a person: the copy is checked before it gets its name, which must be free, also of a log that SQLite would take for that of
 * the copy. Returns why `restoreSqlite` would refuse the copy, if it would. Throws `CopyError`.
 */
export async function backUpSqlite(from: string, to: string, progress: CopyProgress): Promise<string | undefined> {
  if (!existsSync(from)) throw new CopyError(`There is no ${from} to copy. DATA_DIR names the folder of the data.`);
  const there = FILES.map((end) => to + end).find((file) => existsSync(file));
  if (there !== undefined) throw new CopyError(`There is a file ${there} already. Name one that there is not.`);
  let obstacle: string | undefined;
  const prove = async (copy: string) => {
    checkWhole(copy);
    obstacle = await foreignIn(copy);
  };
  await copyChecked(from, to, { progress, prove });
  return obstacle;
}

/**
 * Puts a copy in the place of the database at `to`, which nobody may have open, nor open meanwhile. What was there becomes the file `kept`,
 * with the rest of its log. Throws `CopyError`, having changed nothing.
 */
export async function restoreSqlite(copy: string, { to, kept }: { to: string; kept: string }): Promise<void> {
  if (!statSync(copy, { throwIfNoEntry: false })?.isFile()) throw new CopyError(`There is no file ${copy}.`);
  const fresh = `${to}.restored`;
  if (copy.startsWith(fresh)) throw new CopyError(`${copy} has a name that a restore needs, and would be lost. Give it another one.`);
  using lock = existsSync(to) ? lockOut(to) : undefined;
  remove(fresh);
  await copyChecked(copy, fresh, { prove: checkTrusted });
  // Windows gives no other name to a file that is open.
  if (process.platform === "win32") lock?.close();
  try {
    keep(to, kept);
    rename(fresh, to);
  } catch (error) {
    remove(fresh);
    throw error;
  }
}

/**
 * Gives the database at `from`, if there is one, the name `kept`, too. It keeps its own until the copy takes it: a service that starts after
 * a crash in between finds the old data, not none, but where the file system has no links. A log goes along, also one that lost its
 * database: SQLite would take it for that of the copy.
 */
function keep(from: string, kept: string): void {
  const left = FILES.filter((end) => existsSync(from + end));
  if (left.length === 0) return;
  makeFolder(dirname(kept));
  for (const end of left) (end === "" ? addName : renameSync)(from + end, kept + end);
  syncFolder(dirname(kept));
}

function addName(from: string, kept: string): void {
  try {
    linkSync(from, kept);
  } catch {
    renameSync(from, kept);
  }
}

/** Renames a file for good. */
function rename(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Within one transaction that reads: otherwise the copy would begin anew whenever somebody writes. */
async function copyPages(from: string, to: string, progress: CopyProgress): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.exec("begin; select 1 from sqlite_master");
    const tell = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      progress(totalPages - remainingPages, totalPages);
    const pages = await backup(source, to, { rate: PAGES_AT_ONCE, progress: tell });
    progress(pages, pages);
  } finally {
    source.close();
  }
}

async function copyChecked(from: string, to: string, copying: Copying): Promise<void> {
  try {
    // What a copy that was killed has left.
    remove(unfinished(to));
    await copyWhole(from, to, copying);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CopyError(`${from} cannot be copied into ${to}: ${reason}.`, { cause: error });
  }
}

type Copying = { progress?: CopyProgress; prove?: (copy: string) => Promise<void> };

async function copyWhole(from: string, to: string, { progress = () => {}, prove }: Copying): Promise<void> {
  const copy = unfinished(to);
  makeFolder(dirname(copy));
  makeFile(copy);
  try {
    await copyPages(from, copy, progress);
    alone(copy);
    await prove?.(copy);
  } catch (error) {
    remove(copy);
    throw error;
  }
  rename(copy, to);
}

function unfinished(file: string): string {
  return `${file}.unfinished`;
}

/** A copy keeps the mode of its original, with which it would need files beside it. */
function alone(file: string): void {
  using database = new DatabaseSync(file);
  database.exec("pragma journal_mode = delete");
}

/** For a copy that may come from anyone: the schema is judged first, because a check of the whole runs what is in it. */
async function checkTrusted(file: string): Promise<void> {
  const obstacle = await foreignIn(file);
  if (obstacle !== undefined) throw new Error(obstacle);
  checkWhole(file);
}

async function foreignIn(file: string): Promise<string | undefined> {
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

const NOT_OURS = "it is not a database of Roomrack";

function isOurs(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
}

function openChecked(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("pragma trusted_schema = off");
  return database;
}

/**
 * Takes the log of a database into its file, and lets nobody else read or write it until what is answered is closed. Only the last who has a
 * database open can do so. One that is damaged keeps its log, and is not locked: no service opens it.
 */
function lockOut(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = delete; begin exclusive");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new CopyError(`${file} is in use. Stop the service first, and what else has it open.`, { cause: error });
    return undefined;
  }
}

function remove(file: string): void {
  for (const end of FILES) rmSync(file + end, { force: true });
}
