import type { ByteReader, ByteWriter } from "./bytes.ts";
import { UNCHANGED_CELL } from "./page.ts";
import { appendRun, expandRuns, type Runs, runsFrom, SPAN_DAYS, uniformRuns } from "./runs.ts";

const CONSTANT_FORMAT = 0;
const RUNS_FORMAT = 1;
const PLAIN_FORMAT = 2;
const DICTIONARY_FORMAT = 3;

const CELL_WIDTHS: ReadonlySet<number> = new Set([1, 2, 4, 8]);

/** Added to cells stored in 1, 2 or 4 bytes, because these are unsigned and the lowest cell value is -2. */
const UNSIGNED_SHIFT = 2;

const MAX_DICTIONARY_SIZE = 255;

/** Writes a column's cells in the shortest encoding. */
export function writeCells(writer: ByteWriter, runs: Runs): void {
  const width = widthFor(runs.cells);
  const [runsBytes, plainBytes] = [runs.cells.length * (width + 1), SPAN_DAYS * width];
  const dictionary = dictionaryShorterThan(Math.min(runsBytes, plainBytes), runs.cells, width);
  const writeFormat = (form: number) => writer.byte(form * 16 + width);
  if (runs.cells.length === 1) {
    writeFormat(CONSTANT_FORMAT);
    writeValues(writer, runs.cells, width);
  } else if (dictionary) {
    writeFormat(DICTIONARY_FORMAT);
    writeDictionary(writer, runs, { dictionary, width });
  } else if (runsBytes <= plainBytes) {
    writeFormat(RUNS_FORMAT);
    writeRuns(writer, runs, width);
  } else {
    writeFormat(PLAIN_FORMAT);
    writeValues(writer, expandRuns(runs), width);
  }
}

export function readCells(reader: ByteReader): Runs | undefined {
  const formatByte = reader.byte();
  const width = formatByte % 16;
  const readForm = READERS[formatByte >> 4];
  if (!readForm || !CELL_WIDTHS.has(width)) return undefined;
  const runs = readForm(reader, width);
  return runs.ends.at(-1) === SPAN_DAYS ? runs : undefined;
}

export const SKIPPED = "skipped";

export function skipCells(reader: ByteReader): typeof SKIPPED | undefined {
  const formatByte = reader.byte();
  const skip = SKIPPERS[formatByte >> 4];
  if (!skip || !CELL_WIDTHS.has(formatByte % 16)) return undefined;
  skip(reader, formatByte % 16);
  return SKIPPED;
}

function widthFor(cells: readonly number[]): number {
  let largest = UNCHANGED_CELL;
  for (const cell of cells) if (cell > largest) largest = cell;
  const largestStored = largest + UNSIGNED_SHIFT;
  if (largestStored < 2 ** 8) return 1;
  if (largestStored < 2 ** 16) return 2;
  return largestStored < 2 ** 32 ? 4 : 8;
}

/** Returns each distinct cell with its index, or `undefined` if a dictionary would take `limit` bytes or more. */
function dictionaryShorterThan(limit: number, cells: readonly number[], width: number): ReadonlyMap<number, number> | undefined {
  if (width === 1 || limit <= SPAN_DAYS) return undefined;
  const indexes = new Map<number, number>();
  for (const cell of cells) {
    indexes.getOrInsert(cell, indexes.size);
    if (indexes.size > MAX_DICTIONARY_SIZE) return undefined;
  }
  return indexes.size * width + SPAN_DAYS < limit ? indexes : undefined;
}

function writeRuns(writer: ByteWriter, { ends, cells }: Runs, width: number): void {
  writer.varint(ends.length);
  for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
    writer.varint(ends[run]! - start);
    writeValue(writer, cells[run]!, width);
  }
}

type Dictionary = { dictionary: ReadonlyMap<number, number>; width: number };

function writeDictionary(writer: ByteWriter, { ends, cells }: Runs, { dictionary, width }: Dictionary): void {
  writer.byte(dictionary.size);
  writeValues(writer, [...dictionary.keys()], width);
  const { bytes, at } = writer.reserve(SPAN_DAYS);
  for (let run = 0, start = 0; run < ends.length; start = ends[run++]!)
    bytes.fill(dictionary.get(cells[run]!)!, at + start, at + ends[run]!);
  writer.advance(SPAN_DAYS);
}

function writeValue(writer: ByteWriter, value: number, width: number): void {
  const { bytes, at } = writer.reserve(width);
  if (width === 1) bytes[at] = value + UNSIGNED_SHIFT;
  else if (width === 2) bytes.writeUInt16LE(value + UNSIGNED_SHIFT, at);
  else if (width === 4) bytes.writeUInt32LE(value + UNSIGNED_SHIFT, at);
  else bytes.writeDoubleLE(value, at);
  writer.advance(width);
}

function writeValues(writer: ByteWriter, values: readonly number[], width: number): void {
  const count = values.length;
  const { bytes, at } = writer.reserve(count * width);
  if (width === 1) for (let i = 0; i < count; i++) bytes[at + i] = values[i]! + UNSIGNED_SHIFT;
  else if (width === 2) for (let i = 0; i < count; i++) bytes.writeUInt16LE(values[i]! + UNSIGNED_SHIFT, at + 2 * i);
  else if (width === 4) for (let i = 0; i < count; i++) bytes.writeUInt32LE(values[i]! + UNSIGNED_SHIFT, at + 4 * i);
  else for (let i = 0; i < count; i++) bytes.writeDoubleLE(values[i]!, at + 8 * i);
  writer.advance(count * width);
}

const READERS: readonly ((reader: ByteReader, width: number) => Runs)[] = [readConstant, readRuns, readPlain, readDictionary];

function readConstant(reader: ByteReader, width: number): Runs {
  return uniformRuns(readValue(reader, width));
}

function readRuns(reader: ByteReader, width: number): Runs {
  const runs: Runs = { ends: [], cells: [] };
  let at = 0;
  for (let left = reader.varint(); left > 0; left--) {
    at += reader.varint();
    appendRun(runs, at, readValue(reader, width));
  }
  return runs;
}

function readPlain(reader: ByteReader, width: number): Runs {
  return runsFrom(() => readValue(reader, width));
}

function readDictionary(reader: ByteReader, width: number): Runs {
  const values = Array.from({ length: reader.byte() }, () => readValue(reader, width));
  const start = reader.skip(SPAN_DAYS);
  return runsFrom((night) => values[reader.bytes[start + night]!]!);
}

const SKIPPERS: readonly ((reader: ByteReader, width: number) => void)[] = [
  (reader, width) => reader.skip(width),
  skipRuns,
  (reader, width) => reader.skip(SPAN_DAYS * width),
  (reader, width) => reader.skip(reader.byte() * width + SPAN_DAYS),
];

function skipRuns(reader: ByteReader, width: number): void {
  for (let left = reader.varint(); left > 0; left--) {
    reader.varint();
    reader.skip(width);
  }
}

function readValue(reader: ByteReader, width: number): number {
  const start = reader.skip(width);
  const { bytes } = reader;
  if (width === 1) return bytes[start]! - UNSIGNED_SHIFT;
  if (width === 2) return bytes.readUInt16LE(start) - UNSIGNED_SHIFT;
  return width === 4 ? bytes.readUInt32LE(start) - UNSIGNED_SHIFT : bytes.readDoubleLE(start);
}
