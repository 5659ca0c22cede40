import { statSync } from "node:fs";

const SUFFIXES = ["", "-wal", "-shm"] as const;

export type LostFile = (typeof SUFFIXES)[number];

/** Detects that a file was deleted, moved or replaced: SQLite would keep writing to the old one without an error. */
export class OpenFiles {
  readonly #path: string;
  readonly #known = new Map<LostFile, string>();

  constructor(path: string) {
    this.#path = path;
    this.lost();
  }

  /** Suffix of the first file that is not the one opened. The log and its index appear at the first write. */
  lost(): LostFile | undefined {
    return SUFFIXES.find((suffix) => {
      const found = identify(this.#path + suffix);
      const known = this.#known.get(suffix);
      if (known === undefined && found !== undefined) this.#known.set(suffix, found);
      return known !== undefined && found !== known;
    });
  }
}

function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
