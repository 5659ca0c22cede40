import { randomUUID } from "node:crypto";
import { accessSync, appendFileSync, constants, createReadStream, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRefusedValue } from "../../db/faults.ts";
import { makeFolder } from "../../db/folder.ts";
import { type NewErrorRow, rowBytes, withGroup } from "./store.ts";

const REFUSED_FILE = "errors-refused.jsonl";
/** File name with the PID of the process that uses the file. Earlier versions shared one file among all processes. */
const SPOOL_FILE_PATTERN = /^errors-spool(?:\.(\d+)-[\w-]+)?(?:\.taken-[\w.-]+)?\.jsonl$/;
const MISSING_FILE_CODES = new Set<string | undefined>(["ENOENT", "ENOTDIR"]);
const ROWS_PER_CHUNK = 100;
const MEMORY_LIMIT = { rows: 1_000, bytes: 8 * 2 ** 20 };
const MAX_FILE_BYTES = 256 * 2 ** 20;

/**
 * `maxBytes` limits the files' total size, up to 256 MB. `onLost` receives the number of rows lost because files and memory are full.
 */
type SpoolOptions = { maxBytes: number; onLost(count: number): void };

type StoreRows = (rows: readonly NewErrorRow[]) => Promise<void>;

/**
 * Keeps rows in files while the database is unavailable. Each process uses only its own files, and takes over files from processes that
 * have ended by renaming them. Each write starts with a line break, in case the previous write was incomplete.
 */
export class ErrorSpool {
  readonly #folder: string;
  readonly #own = `errors-spool.${process.pid}-${randomUUID()}`;
  readonly #maxBytes: number;
  readonly #onLost: (count: number) => void;
  #memory: NewErrorRow[] = [];
  #hasRows: boolean;
  #rotations = 0;

  constructor(folder: string, { maxBytes, onLost }: SpoolOptions) {
    this.#folder = folder;
    this.#maxBytes = Math.min(maxBytes, MAX_FILE_BYTES);
    this.#onLost = onLost;
    this.#hasRows = this.#files().length > 0;
  }

  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** Appends rows to this process's file. Writes synchronously, because the process may be about to exit. Never throws. */
  append(rows: readonly NewErrorRow[]): void {
    if (rows.length === 0) return;
    this.#hasRows = true;
    const unwrittenRows = rows.slice(0, rows.length - this.#write(`${this.#own}.jsonl`, rows));
    if (unwrittenRows.length > 0) this.#keepInMemory(unwrittenRows);
  }

  #keepInMemory(rows: readonly NewErrorRow[]): void {
    const all = [...this.#memory, ...rows];
    const sizes = all.map(({ bytes }) => bytes);
    const lostCount = all.length - countFitting(sizes, MEMORY_LIMIT);
    this.#memory = all.slice(lostCount);
    if (lostCount > 0) this.#onLost(lostCount);
  }

  #write(name: string, rows: readonly NewErrorRow[]): number {
    const lines = rows.map((row) => `\n${JSON.stringify({ ...row, bytes: undefined })}`);
    const sizes = lines.map((line) => Buffer.byteLength(line));
    try {
      makeFolder(this.#folder);
      const count = countFitting(sizes, { rows: rows.length, bytes: this.#maxBytes - this.#fileBytes() });
      if (count > 0) appendFileSync(join(this.#folder, name), `${lines.slice(-count).join("")}\n`, { mode: 0o600 });
      return count;
    } catch {
      return 0;
    }
  }

  async drain(store: StoreRows): Promise<void> {
    await this.#drainRotated(store);
    this.#rotate();
    await this.#drainRotated(store);
    while (this.#memory.length > 0) {
      const chunk = new Set(this.#memory.slice(0, ROWS_PER_CHUNK));
      await this.#deliver([...chunk], store);
      this.#memory = this.#memory.filter((row) => !chunk.has(row));
    }
    this.#hasRows = this.#files().length > 0;
  }

  async #drainRotated(store: StoreRows): Promise<void> {
    for (const name of this.#files().filter((one) => one.startsWith(`${this.#own}.taken-`))) {
      const file = join(this.#folder, name);
      for await (const rows of readRows(file)) await this.#deliver(rows, store);
      rmSync(file, { force: true });
    }
  }

  /** Stores rows. Moves rejected rows to a separate file, so that they don't block the others. */
  async #deliver(rows: readonly NewErrorRow[], store: StoreRows): Promise<void> {
    try {
      await store(rows);
    } catch (error) {
      if (!isRefusedValue(error) && !(error instanceof TypeError)) throw error;
      if (rows.length > 1) for (const row of rows) await this.#deliver([row], store);
      else if (this.#write(REFUSED_FILE, rows) === 0) this.#onLost(1);
    }
  }

  /** Renames the files, so that new rows go to a new file. If several processes try to take over a file, only one succeeds. */
  #rotate(): void {
    for (const name of this.#files().filter((one) => !one.startsWith(`${this.#own}.taken-`))) {
      const newName = `${this.#own}.taken-${String(this.#rotations++).padStart(6, "0")}.jsonl`;
      try {
        renameSync(join(this.#folder, name), join(this.#folder, newName));
      } catch (error) {
        if (!MISSING_FILE_CODES.has((error as NodeJS.ErrnoException).code)) throw error;
      }
    }
  }

  #fileBytes(): number {
    const names = readdirSync(this.#folder).filter((name) => name === REFUSED_FILE || SPOOL_FILE_PATTERN.test(name));
    return names.reduce((sum, name) => sum + (statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  }

  /** Lists this process's files and abandoned ones. Skips unreadable files, such as another user's, because they would block the others. */
  #files(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => (name.startsWith(this.#own) || isAbandoned(name)) && isReadable(join(this.#folder, name)))
        .toSorted();
    } catch {
      return [];
    }
  }
}

function countFitting(sizes: readonly number[], { rows, bytes }: typeof MEMORY_LIMIT): number {
  let [count, left] = [0, bytes];
  while (count < Math.min(rows, sizes.length) && sizes.at(-1 - count)! <= left) left -= sizes.at(-1 - count++)!;
  return count;
}

/**
 * Returns whether the process that wrote a file has ended. A file with this process's PID is from an earlier process that had the same PID.
 */
function isAbandoned(name: string): boolean {
  const [file, pid] = SPOOL_FILE_PATTERN.exec(name) ?? [];
  return file !== undefined && (pid === undefined || Number(pid) === process.pid || !isRunning(Number(pid)));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function* readRows(file: string): AsyncGenerator<NewErrorRow[]> {
  let rows: NewErrorRow[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const row = readRow(line);
    if (row) rows.push(row);
    if (rows.length < ROWS_PER_CHUNK) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Returns undefined for an incomplete line. Rows written by earlier versions have no group. */
function readRow(line: string): NewErrorRow | undefined {
  try {
    const row = JSON.parse(line) as NewErrorRow;
    if (typeof row.key !== "string" || typeof row.detail !== "string") return undefined;
    return { ...("group" in row ? row : withGroup(row)), bytes: rowBytes(row) };
  } catch {
    return undefined;
  }
}
