import { CsvError, parse } from "csv-parse/sync";
import { IMPORT_KINDS } from "../../records/import/kinds.ts";
import { matchColumns } from "./columns.ts";
import { FileFault, SEPARATOR_LINE_PATTERN } from "./file.ts";

const HEAD_CHARACTERS = 65_536;
const MAX_COLUMNS = 500;
const COMMON_DELIMITERS = [",", ";", "\t", "|"];

export type FileLayout = { delimiter: string; header: string[] };

/** Detects the delimiter and reads the column names from the beginning of a file. Throws `FileFault`. */
export function analyseLayout(beginning: string): FileLayout {
  const [separatorLine = "", separator] = SEPARATOR_LINE_PATTERN.exec(beginning) ?? [];
  const head = beginning.slice(separatorLine.length, separatorLine.length + HEAD_CHARACTERS);
  if (head.trim() === "") throw new FileFault("The file is empty. Put the column names in the first row");
  const layouts = (separator === undefined ? possibleDelimiters(head) : [separator]).map((delimiter) => ({
    delimiter,
    header: readHeader(head, delimiter),
  }));
  const bestLayout = layouts.toSorted((a, b) => scoreLayout(b) - scoreLayout(a))[0]!;
  checkColumns(bestLayout.header.length);
  return bestLayout;
}

/** Throws `FileFault` if there are too many columns. */
export function checkColumns(count: number): void {
  if (count > MAX_COLUMNS) throw new FileFault(`The header has more than ${MAX_COLUMNS} columns`);
}

/** Returns the common delimiters, then up to ten other characters in the header that could be delimiters. */
function possibleDelimiters(head: string): string[] {
  const line = /[^\r\n]+/.exec(head)?.[0] ?? "";
  const otherCharacters = [...new Set(line.matchAll(/[^\p{L}\p{N}\s"'()_.-]/gu).map(([character]) => character))];
  return [...new Set([...COMMON_DELIMITERS, ...otherCharacters.slice(0, 10)])];
}

/** Ranks delimiters by the number of recognised columns, then by the total number of columns. */
function scoreLayout({ header }: FileLayout): number {
  const recognizedCounts = IMPORT_KINDS.map((kind) => matchColumns(kind, header).filter((field) => field !== null).length);
  return Math.max(...recognizedCounts) * MAX_COLUMNS + Math.min(header.length, MAX_COLUMNS);
}

function readHeader(head: string, delimiter: string): string[] {
  try {
    const [header = []] = parse(head, {
      delimiter,
      to: 1,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
    return header.map((name) => name.trim());
  } catch (error) {
    if (error instanceof CsvError) return [head.split("\n", 1)[0]!.trim()];
    throw error;
  }
}
