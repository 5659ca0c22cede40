import { statSync } from "node:fs";

const FILE_SUFFIXES = ["", "-wal", "-shm"] as const;

export type LostFile = (typeof FILE_SUFFIXES)[number];

/** Detects files that were deleted, moved or replaced. SQLite would continue to write to the old file without an error. */
export class OpenFiles {
  readonly #path: string;
  readonly #opened = new Map<LostFile, string>();

  constructor(path: string) {
    this.#path = path;
    this.findLost();
  }

  /** Returns the suffix of the first lost file, if any. The log and its index don't exist before the first write. */
  findLost(): LostFile | undefined {
    return FILE_SUFFIXES.find((suffix) => {
      const current = fileIdentity(this.#path + suffix);
      const openedFile = this.#opened.get(suffix);
      if (openedFile === undefined && current !== undefined) this.#opened.set(suffix, current);
      return openedFile !== undefined && current !== openedFile;
    });
  }
}

function fileIdentity(path: string): string | undefined {
  const fileStat = statSync(path, { throwIfNoEntry: false });
  return fileStat && `${fileStat.dev}:${fileStat.ino}`;
}
