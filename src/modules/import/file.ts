import { Readable, pipeline } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { CsvError, parse } from "csv-parse";
import type { Database } from "../../db/database.ts";
import type { ImportKind } from "../../records/import/kinds.ts";
import { BATCH_SIZE, type FileRow } from "../../records/import/prepare.ts";
import type { RowFault } from "../../records/import/read-row.ts";
import { addPart, type Import, readParts } from "../../records/import/store.ts";
import { unescapeFormulas } from "../../web/csv.ts";
import { formatNumber } from "../../web/parts/amount.ts";

const MAX_ROWS = 100_000;
const MAX_ROW_CHARACTERS = 1_000_000;
/** Small enough that parsing a chunk takes only a few milliseconds. */
const CHUNK_BYTES = 65_536;
const FAST_COMPRESSION = { level: 1 };
const [compress, uncompress] = [promisify(gzip), promisify(gunzip)];

/** Thrown if the file can't be read as a table. The message contains the position and the reason. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

/** Throws `FileFault` if there are too many rows. */
export function checkRows(count: number): void {
  if (count > MAX_ROWS) throw new FileFault(`The file has more than ${formatNumber(MAX_ROWS)} rows. Split it into several files`);
}

export async function storeText(database: Database, id: number, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let part = 0;
  for await (const chunk of chunks) {
    await addPart(database, { import: id, part, bytes: await compress(chunk, FAST_COMPRESSION) });
    part++;
    await nextTurn();
  }
}

/** Reads the file's chunks. A character may be split between two chunks; the parser joins them. */
async function* readChunks(database: Database, id: number): AsyncGenerator<Buffer> {
  for await (const compressedPart of readParts(database, id)) {
    const bytes = await uncompress(compressedPart);
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

export const SEPARATOR_LINE_PATTERN = /^"?sep=(.)"?\r?\n/i;

/** Yields the rows of a file in batches. Throws `FileFault`. */
export async function* readFile(database: Database, kind: ImportKind, file: Import): AsyncGenerator<readonly FileRow[]> {
  let batch: FileRow[] = [];
  let count = 0;
  for await (const { line, texts: cellTexts } of readTable(readChunks(database, file.id), file.delimiter)) {
    checkRows(++count);
    batch.push(toFileRow(line, cellTexts, file));
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (count === 0) throw new FileFault(`The file has no rows below its header. Add a row for each ${kind.one}`);
  if (batch.length > 0) yield batch;
}

/** Returns the first row below the header, as an example of each column's values. */
export async function readExample(database: Database, { id, delimiter }: Import): Promise<readonly string[]> {
  for await (const { texts: cellTexts } of readTable(readChunks(database, id), delimiter)) return cellTexts;
  return [];
}

/** Yields the rows below the header, without blank rows. `line` counts all rows of the file, starting with 1. */
async function* readTable(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<{ line: number; texts: string[] }> {
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: MAX_ROW_CHARACTERS });
  // Errors in the pipeline are thrown by the loop below.
  pipeline(Readable.from(chunks), parser, () => {});
  let line = 0;
  let hasHeader = false;
  try {
    for await (const cellTexts of parser as AsyncIterable<string[]>) {
      line++;
      const isBlank =
        cellTexts.every((text) => text.trim() === "") || (line === 1 && SEPARATOR_LINE_PATTERN.test(`${cellTexts.join(delimiter)}\n`));
      if (!isBlank && hasHeader) yield { line, texts: cellTexts };
      hasHeader ||= !isBlank;
    }
  } catch (error) {
    throw toFileFault(error);
  }
}

/** Converts a parser error to a `FileFault`. The parser's `records` is the number of rows before the faulty row. */
function toFileFault(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const row = Number(error.records) + 1;
  return new FileFault(`Row ${formatNumber(row)}: ${CSV_FAULT_TEXTS[error.code] ?? "The row is not valid CSV"}`);
}

const QUOTE_HINT = 'Write a quote inside a quoted cell as ""';
const CSV_FAULT_TEXTS: Partial<Record<CsvError["code"], string>> = {
  CSV_QUOTE_NOT_CLOSED: `A quoted cell has no closing quote. ${QUOTE_HINT}`,
  CSV_INVALID_CLOSING_QUOTE: `A quoted cell has text after its closing quote. ${QUOTE_HINT}`,
  INVALID_OPENING_QUOTE: `There is a quote in the middle of a cell. Put the whole cell in quotes. ${QUOTE_HINT}`,
  CSV_MAX_RECORD_SIZE: `The row has more than ${formatNumber(MAX_ROW_CHARACTERS)} characters. A closing quote may be missing`,
};

function toFileRow(line: number, cellTexts: readonly string[], { header, columns }: Import): FileRow {
  const cells: { texts: Record<string, string>; columns: Record<string, string> } = { texts: {}, columns: {} };
  for (const [index, field] of columns.entries()) {
    if (field === null) continue;
    cells.columns[field] = header[index]!;
    if (cellTexts[index] !== undefined) cells.texts[field] = normaliseCell(cellTexts[index]);
  }
  return { line, cells, faults: extraFaults(cellTexts, header) };
}

/** Normalises line breaks and spaces as in a form field, and removes the apostrophe that exports put before formulas. */
function normaliseCell(text: string): string {
  return unescapeFormulas(text.replaceAll(/\r\n?/g, "\n").trim()).trim();
}

function extraFaults(cellTexts: readonly string[], header: readonly string[]): RowFault[] {
  const extraText = cellTexts.slice(header.length).find((text) => text.trim() !== "");
  if (extraText === undefined) return [];
  const problem = `This row has ${cellTexts.length} cells, but the header has ${header.length}. Put cells that contain the delimiter in quotes`;
  return [{ column: `Column ${header.length + 1}`, value: extraText, problem }];
}
