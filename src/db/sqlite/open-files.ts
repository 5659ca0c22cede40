import { statSync } from "node:fs";

/** What the names of the files that SQLite keeps open end in. */
const ENDS = ["", "-wal", "-shm"] as const;

/** Which file it is by the end of its name. */
export type LostFile = (typeof ENDS)[number];

/**
 * The files of an open database. SQLite keeps writing to a file that was deleted, moved or replaced without reporting it, and that data is gone
 * once no process has the file open. A database in memory has no files.
 */
export class OpenFiles {
  readonly #path: string;
  readonly #known = new Map<LostFile, string>();

  constructor(path: string) {
    this.#path = path;
    this.lost();
  }

  /** The first file that is not the one that was opened. SQLite makes the log and its index of a new database at the first write. */
  lost(): LostFile | undefined {
    return ENDS.find((end) => {
      const found = identify(this.#path + end);
      const known = this.#known.get(end);
      if (known === undefined && found !== undefined) this.#known.set(end, found);
      return known !== undefined && found !== known;
    });
  }
}

function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
