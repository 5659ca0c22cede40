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
import { amount } from "../../web/parts/amount.ts";

const MAX_ROWS = 100_000;
const MAX_ROW_CHARACTERS = 1_000_000;
/** Parsing a chunk takes a few milliseconds. */
const CHUNK_BYTES = 65_536;
const FAST = { level: 1 };
const [compress, uncompress] = [promisify(gzip), promisify(gunzip)];

/** The file can't be read as a table. The message says where and why. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

/** Throws `FileFault`. */
export function checkRows(count: number): void {
  if (count > MAX_ROWS) throw new FileFault(`The file has more than ${amount(MAX_ROWS)} rows. Import it in parts`);
}

export async function storeText(database: Database, id: number, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let part = 0;
  for await (const chunk of chunks) {
    await addPart(database, { import: id, part, bytes: await compress(chunk, FAST) });
    part++;
    await nextTurn();
  }
}

/** The parser joins characters that are split between two chunks. */
async function* chunksOf(database: Database, id: number): AsyncGenerator<Buffer> {
  for await (const compressed of readParts(database, id)) {
    const bytes = await uncompress(compressed);
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

export const SEPARATOR_LINE = /^"?sep=(.)"?\r?\n/i;

/** Yields the rows of a file in batches. Throws `FileFault`. */
export async function* readFile(database: Database, kind: ImportKind, file: Import): AsyncGenerator<readonly FileRow[]> {
  let batch: FileRow[] = [];
  let count = 0;
  for await (const { line, texts } of readTable(chunksOf(database, file.id), file.delimiter)) {
    checkRows(++count);
    batch.push(toFileRow(line, texts, file));
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (count === 0) throw new FileFault(`The file has no rows below its header. Add a row for each ${kind.one}`);
  if (batch.length > 0) yield batch;
}

/** The first row below the header, as examples of the columns' values. */
export async function readExample(database: Database, { id, delimiter }: Import): Promise<readonly string[]> {
  for await (const { texts } of readTable(chunksOf(database, id), delimiter)) return texts;
  return [];
}

/** Reads the rows below the header. The header has number 1, unless lines come before it. Leaves out blank rows. */
async function* readTable(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<{ line: number; texts: string[] }> {
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: MAX_ROW_CHARACTERS });
  // The loop below throws the errors.
  pipeline(Readable.from(chunks), parser, () => {});
  let line = 0;
  let hasHeader = false;
  try {
    for await (const texts of parser as AsyncIterable<string[]>) {
      line++;
      const isBlank = texts.every((text) => text.trim() === "") || (line === 1 && SEPARATOR_LINE.test(`${texts.join(delimiter)}\n`));
      if (!isBlank && hasHeader) yield { line, texts };
      hasHeader ||= !isBlank;
    }
  } catch (error) {
    throw faultOf(error);
  }
}

/** The parser has read `records` rows before the one with the error. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const row = Number(error.records) + 1;
  return new FileFault(`Row ${amount(row)}: ${CSV_FAULTS[error.code] ?? "The row is not valid CSV"}`);
}

const DOUBLE = 'Write a quote inside a quoted cell as ""';
const CSV_FAULTS: Partial<Record<CsvError["code"], string>> = {
  CSV_QUOTE_NOT_CLOSED: `A quoted cell has no end. ${DOUBLE}`,
  CSV_INVALID_CLOSING_QUOTE: `A quoted cell goes on after its closing quote. ${DOUBLE}`,
  INVALID_OPENING_QUOTE: `A quote is in the middle of a cell. Put the whole cell in quotes. ${DOUBLE}`,
  CSV_MAX_RECORD_SIZE: `The row has more than ${amount(MAX_ROW_CHARACTERS)} characters. A quoted cell may have no end`,
};

function toFileRow(line: number, texts: readonly string[], { header, columns }: Import): FileRow {
  const cells: { texts: Record<string, string>; columns: Record<string, string> } = { texts: {}, columns: {} };
  for (const [index, field] of columns.entries()) {
    if (field === null) continue;
    cells.columns[field] = header[index]!;
    if (texts[index] !== undefined) cells.texts[field] = cleanText(texts[index]);
  }
  return { line, cells, faults: extraFaults(texts, header) };
}

/** As a form sends it. */
function cleanText(text: string): string {
  return unescapeFormulas(text.replaceAll(/\r\n?/g, "\n").trim()).trim();
}

function extraFaults(texts: readonly string[], header: readonly string[]): RowFault[] {
  const extra = texts.slice(header.length).find((text) => text.trim() !== "");
  if (extra === undefined) return [];
  const problem = `Put a cell that contains the delimiter in quotes; this row has ${texts.length} cells, but the header has ${header.length}`;
  return [{ column: `Column ${header.length + 1}`, value: extra, problem }];
}
