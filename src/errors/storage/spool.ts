import { accessSync, appendFileSync, constants, createReadStream, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRefusedValue } from "../../db/faults.ts";
import { makeFolder } from "../../db/folder.ts";
import { regroup } from "../describe/row.ts";
import { bytesOf } from "./row-size.ts";
import type { NewErrorRow } from "./store.ts";

const FILE = "errors-spool.jsonl";
const REFUSED = "errors-refused.jsonl";
const TAKEN = /^errors-spool\.taken-.+\.jsonl$/;
const NOT_THERE = new Set<string | undefined>(["ENOENT", "ENOTDIR"]);
const CHUNK = 100;
const KEPT_IN_MEMORY = { rows: 1_000, bytes: 8 * 2 ** 20 };
/** An outage under a flood must not fill the disk. */
const LARGEST_BYTES = 256 * 2 ** 20;

/** The files together have at most `limit` bytes, never more than 256 MB. `lose` receives the number of rows that neither they nor the memory have room for. */
type SpoolOptions = { limit: number; lose(count: number): void };

type Take = (rows: readonly NewErrorRow[]) => Promise<void>;

/**
 * A file in the data folder, a row as JSON in each line, for entries that the database cannot take. Each write begins with
 * the end of a line: what was cut off before it, by a full disk or a kill, takes no other row along.
 */
export class Spool {
  readonly #folder: string;
  readonly #limit: number;
  /** The last resort, when the folder cannot be written either. */
  #memory: NewErrorRow[] = [];
  #filled: boolean;
  #count = 0;
  readonly #lose: (count: number) => void;

  constructor(folder: string, { limit, lose }: SpoolOptions) {
    this.#folder = folder;
    this.#limit = Math.min(limit, LARGEST_BYTES);
    this.#lose = lose;
    this.#filled = this.#files().length > 0;
  }

  /** There may be rows that wait for the database. */
  get filled(): boolean {
    return this.#filled;
  }

  /** Writes at once, for the process may be about to end. Never throws. */
  append(rows: readonly NewErrorRow[]): void {
    if (rows.length === 0) return;
    this.#filled = true;
    const left = rows.slice(0, rows.length - this.#write(FILE, rows));
    if (left.length > 0) this.#remember(left);
  }

  #remember(rows: readonly NewErrorRow[]): void {
    const all = [...this.#memory, ...rows];
    const lost =
      all.length -
      countLast(
        all.map(({ bytes }) => bytes),
        KEPT_IN_MEMORY,
      );
    this.#memory = all.slice(lost);
    if (lost > 0) this.#lose(lost);
  }

  /** Appends the last of the rows, as many as there is room for. Returns how many it wrote. */
  #write(name: string, rows: readonly NewErrorRow[]): number {
    const lines = rows.map((row) => `\n${JSON.stringify({ ...row, bytes: undefined })}`);
    try {
      makeFolder(this.#folder);
      const count = countLast(
        lines.map((line) => Buffer.byteLength(line)),
        { rows: rows.length, bytes: this.#limit - this.#bytes() },
      );
      if (count > 0) appendFileSync(join(this.#folder, name), `${lines.slice(-count).join("")}\n`, { mode: 0o600 });
      return count;
    } catch {
      return 0;
    }
  }

  /** Hands every row to `take`, in small lists; what it took is gone. Rejects with what `take` rejected with, and keeps the rest. */
  async takeIn(take: Take): Promise<void> {
    await this.#takeInAside(take);
    this.#setAside();
    await this.#takeInAside(take);
    while (this.#memory.length > 0) {
      const some = new Set(this.#memory.slice(0, CHUNK));
      await this.#hand([...some], take);
      this.#memory = this.#memory.filter((row) => !some.has(row));
    }
    this.#filled = this.#files().length > 0;
  }

  async #takeInAside(take: Take): Promise<void> {
    for (const name of this.#files()) {
      if (name === FILE) continue;
      const file = join(this.#folder, name);
      for await (const rows of readRows(file)) await this.#hand(rows, take);
      rmSync(file, { force: true });
    }
  }

  /** A row that no database takes must not hold up the others for ever: it goes to a file of its own, for people to look at. */
  async #hand(rows: readonly NewErrorRow[], take: Take): Promise<void> {
    try {
      await take(rows);
    } catch (error) {
      if (!isRefusedValue(error) && !(error instanceof TypeError)) throw error;
      if (rows.length > 1) for (const row of rows) await this.#hand([row], take);
      else if (this.#write(REFUSED, rows) === 0) this.#lose(1);
    }
  }

  /** From now on rows are appended to a new file; another process with this folder sets aside under another name. */
  #setAside(): void {
    const aside = `errors-spool.taken-${process.pid}-${performance.timeOrigin}-${this.#count++}.jsonl`;
    try {
      renameSync(join(this.#folder, FILE), join(this.#folder, aside));
    } catch (error) {
      if (!NOT_THERE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  }

  /** The size of all files of the spool, including the one with the rows that no database takes. */
  #bytes(): number {
    const names = readdirSync(this.#folder).filter((name) => name === FILE || name === REFUSED || TAKEN.test(name));
    return names.reduce((sum, name) => sum + (statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  }

  /** A file that cannot be read, as root may leave one behind, must not hold up the others for ever. */
  #files(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => (name === FILE || TAKEN.test(name)) && isReadable(join(this.#folder, name)))
        .toSorted();
    } catch {
      return [];
    }
  }
}

/** How many rows of these sizes fit, counted from the last. */
function countLast(sizes: readonly number[], { rows, bytes }: typeof KEPT_IN_MEMORY): number {
  let [count, left] = [0, bytes];
  while (count < Math.min(rows, sizes.length) && sizes.at(-1 - count)! <= left) left -= sizes.at(-1 - count++)!;
  return count;
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
    if (rows.length < CHUNK) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** A process that was killed may have left half a line, one of an older version a row that is in no group. */
function readRow(line: string): NewErrorRow | undefined {
  try {
    const row = JSON.parse(line) as NewErrorRow;
    if (typeof row.key !== "string" || typeof row.detail !== "string") return undefined;
    return { ...("group" in row ? row : regroup(row)), bytes: bytesOf(row) };
  } catch {
    return undefined;
  }
}
