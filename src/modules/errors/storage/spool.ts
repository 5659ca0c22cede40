import { accessSync, appendFileSync, constants, createReadStream, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRefusedValue } from "../../../db/faults.ts";
import { makeFolder } from "../../../db/folder.ts";
import { regroup } from "../describe/row.ts";
import type { NewErrorRow } from "./store.ts";

const FILE = "errors-spool.jsonl";
const REFUSED = "errors-refused.jsonl";
const TAKEN = /^errors-spool\.taken-.+\.jsonl$/;
const NOT_THERE = new Set<string | undefined>(["ENOENT", "ENOTDIR"]);
const CHUNK = 100;
const KEPT_IN_MEMORY = 1_000;
/** An outage under a flood must not fill the disk: there is one file to which rows are appended, and one that was set aside. */
const LARGEST_BYTES = 256 * 1024 * 1024;

type Take = (rows: readonly NewErrorRow[]) => Promise<void>;

/**
 * A file in the data folder, a row as JSON in each line, for entries that the database cannot take. Each write begins with
 * the end of a line: what was cut off before it, by a full disk or a kill, takes no other row along.
 */
export class Spool {
  readonly #folder: string;
  /** The last resort, when the folder cannot be written either. */
  #memory: NewErrorRow[] = [];
  #filled: boolean;
  #count = 0;
  readonly #lose: (count: number) => void;

  /** `lose` is told how many rows neither the folder nor the memory has room for. */
  constructor(folder: string, lose: (count: number) => void) {
    this.#folder = folder;
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
    if (!this.#write(FILE, rows)) this.#remember(rows);
  }

  #remember(rows: readonly NewErrorRow[]): void {
    const all = [...this.#memory, ...rows];
    this.#memory = all.slice(-KEPT_IN_MEMORY);
    if (all.length > KEPT_IN_MEMORY) this.#lose(all.length - KEPT_IN_MEMORY);
  }

  #write(name: string, rows: readonly NewErrorRow[]): boolean {
    const file = join(this.#folder, name);
    try {
      makeFolder(this.#folder);
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) return false;
      appendFileSync(file, ["", ...rows.map((row) => JSON.stringify(row)), ""].join("\n"), { mode: 0o600 });
      return true;
    } catch {
      return false;
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
      else if (!this.#write(REFUSED, rows)) this.#lose(1);
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
    return "group" in row ? row : regroup(row);
  } catch {
    return undefined;
  }
}
