import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command.ts";

/** One message of a folder: where it is from and what is expected of it, in words. */
export type Sample = {
  /** Path in the folder, with `/`. */
  file: string;
  /** The collection it belongs to: the first folder, under `alpinebits` also the version. */
  source: string;
  /** The AlpineBits version whose transport it is sent by. */
  version: string | undefined;
  expected: string;
  /** Throws where there is no such file. */
  read(): Buffer;
};

/** The messages that `SOURCES.tsv` lists as requests. Throws `UsageError` where the folder is not such a folder. */
export function readSamples(folder: string): Sample[] {
  const list = join(folder, "SOURCES.tsv");
  if (!existsSync(list)) throw new UsageError(`There is no SOURCES.tsv in ${folder}.`);
  const [head = "", ...rows] = readFileSync(list, "utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const names = head.split("\t").map((name) => name.trim().toLowerCase());
  const missing = ["file", "kind", "expected"].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`${list} has no column ${missing.join(", ")}.`);
  const requests = rows.map((row) => cellsOf(row, names)).filter(({ kind }) => kind?.toLowerCase() === "request");
  if (requests.length === 0) throw new UsageError(`${list} lists no message whose kind is request.`);
  return requests.map(({ file = "", expected = "" }) => sampleOf(folder, file, expected));
}

function cellsOf(row: string, names: readonly string[]): Partial<Record<string, string>> {
  return Object.fromEntries(row.split("\t").map((cell, index) => [names[index] ?? "", cell.trim()]));
}

function sampleOf(folder: string, file: string, expected: string): Sample {
  const version = /(?:^|\/)(\d{4}-\d{2})\//.exec(file)?.[1];
  const source = version === undefined ? file.split("/")[0]! : `alpinebits/${version}`;
  return { file, source, version, expected, read: () => readFileSync(join(folder, file)) };
}
