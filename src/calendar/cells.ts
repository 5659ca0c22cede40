import type { ByteReader, ByteWriter } from "./bytes.ts";
import { Distinct } from "./distinct.ts";
import { blankCells, type Cells, SPAN_DAYS } from "./page.ts";

/** How the cells of a column are written; `codec.ts` describes each. */
const CONSTANT = 0;
const RUNS = 1;
const PLAIN = 2;
const DICTIONARY = 3;

const WIDTHS: ReadonlySet<number> = new Set([1, 2, 4, 8]);

/** Added to a cell, so that `KEPT` is stored as 0 and `NOTHING` as 1. Eight bytes hold the cell itself, as a float. */
const SHIFT = 2;

/** Each run of a column ends before one of the first `runs` of `ends`. */
type Survey = { runs: number; width: number };
const ends = new Uint16Array(SPAN_DAYS);

const distinct = new Distinct();

/** Writes the cells in whichever of the four ways is shortest. */
export function writeCells(writer: ByteWriter, cells: Cells): void {
  const { runs, width } = survey(cells);
  const form = shortest(cells, runs, width);
  writer.byte(form * 16 + width);
  if (form === CONSTANT) writeValue(writer, cells[0]!, width);
  else if (form === RUNS) writeRuns(writer, cells, { runs, width });
  else if (form === PLAIN) writeValues(writer, cells, width);
  else writeDictionary(writer, width);
}

/** The cells of one column; `undefined` when they are written in a way that this version does not know. */
export function readCells(reader: ByteReader): Cells | undefined {
  const head = reader.byte();
  const width = head % 16;
  const cells = blankCells();
  const read = READERS[head >> 4];
  if (!read || !WIDTHS.has(width)) return undefined;
  read(reader, cells, width);
  return cells;
}

/** Stands for cells that were passed over. */
export const SKIPPED = "skipped";

/** Passes over the cells of one column; `undefined` as `readCells`. */
export function skipCells(reader: ByteReader): typeof SKIPPED | undefined {
  const head = reader.byte();
  const skip = SKIPPERS[head >> 4];
  if (!skip || !WIDTHS.has(head % 16)) return undefined;
  skip(reader, head % 16);
  return SKIPPED;
}

function survey(cells: Cells): Survey {
  let runs = 0;
  let last = cells[0]!;
  let largest = last;
  for (let i = 1; i < SPAN_DAYS; i++) {
    const cell = cells[i]!;
    if (cell === last) continue;
    ends[runs++] = i;
    last = cell;
    if (cell > largest) largest = cell;
  }
  ends[runs++] = SPAN_DAYS;
  return { runs, width: widthFor(largest + SHIFT) };
}

function widthFor(stored: number): number {
  if (stored < 2 ** 8) return 1;
  if (stored < 2 ** 16) return 2;
  return stored < 2 ** 32 ? 4 : 8;
}

function shortest(cells: Cells, runs: number, width: number): number {
  if (runs === 1) return CONSTANT;
  const asRuns = runs * (width + 1);
  const best = Math.min(asRuns, SPAN_DAYS * width);
  const kinds = width > 1 && best > SPAN_DAYS ? distinct.collect(cells) : undefined;
  if (kinds !== undefined && kinds * width + SPAN_DAYS < best) return DICTIONARY;
  return asRuns <= SPAN_DAYS * width ? RUNS : PLAIN;
}

function writeRuns(writer: ByteWriter, cells: Cells, { runs, width }: Survey): void {
  writer.varint(runs);
  for (let run = 0, start = 0; run < runs; run++) {
    const end = ends[run]!;
    writer.varint(end - start);
    writeValue(writer, cells[start]!, width);
    start = end;
  }
}

function writeDictionary(writer: ByteWriter, width: number): void {
  writer.byte(distinct.values.length);
  writeValues(writer, distinct.values, width);
  const { bytes, at } = writer.room(SPAN_DAYS);
  bytes.set(distinct.places, at);
  writer.advance(SPAN_DAYS);
}

function writeValue(writer: ByteWriter, value: number, width: number): void {
  const { bytes, at } = writer.room(width);
  if (width === 1) bytes[at] = value + SHIFT;
  else if (width === 2) bytes.writeUInt16LE(value + SHIFT, at);
  else if (width === 4) bytes.writeUInt32LE(value + SHIFT, at);
  else bytes.writeDoubleLE(value, at);
  writer.advance(width);
}

function writeValues(writer: ByteWriter, values: Cells, width: number): void {
  const count = values.length;
  const { bytes, at } = writer.room(count * width);
  if (width === 1) for (let i = 0; i < count; i++) bytes[at + i] = values[i]! + SHIFT;
  else if (width === 2) for (let i = 0; i < count; i++) bytes.writeUInt16LE(values[i]! + SHIFT, at + 2 * i);
  else if (width === 4) for (let i = 0; i < count; i++) bytes.writeUInt32LE(values[i]! + SHIFT, at + 4 * i);
  else for (let i = 0; i < count; i++) bytes.writeDoubleLE(values[i]!, at + 8 * i);
  writer.advance(count * width);
}

const READERS = [readConstant, readRuns, readPlain, readDictionary];

function readConstant(reader: ByteReader, cells: Cells, width: number): void {
  cells.fill(readValue(reader, width));
}

function readRuns(reader: ByteReader, cells: Cells, width: number): void {
  let at = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const end = at + reader.varint();
    cells.fill(readValue(reader, width), at, end);
    at = end;
  }
}

function readPlain(reader: ByteReader, cells: Cells, width: number): void {
  readValues(reader, cells, width);
}

function readDictionary(reader: ByteReader, cells: Cells, width: number): void {
  const values = Array<number>(reader.byte()).fill(0);
  readValues(reader, values, width);
  const start = reader.skip(SPAN_DAYS);
  for (let i = 0; i < SPAN_DAYS; i++) cells[i] = values[reader.bytes[start + i]!]!;
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
  if (width === 1) return bytes[start]! - SHIFT;
  if (width === 2) return bytes.readUInt16LE(start) - SHIFT;
  return width === 4 ? bytes.readUInt32LE(start) - SHIFT : bytes.readDoubleLE(start);
}

function readValues(reader: ByteReader, values: Cells, width: number): void {
  const count = values.length;
  const start = reader.skip(count * width);
  const { bytes } = reader;
  if (width === 1) for (let i = 0; i < count; i++) values[i] = bytes[start + i]! - SHIFT;
  else if (width === 2) for (let i = 0; i < count; i++) values[i] = bytes.readUInt16LE(start + 2 * i) - SHIFT;
  else if (width === 4) for (let i = 0; i < count; i++) values[i] = bytes.readUInt32LE(start + 4 * i) - SHIFT;
  else for (let i = 0; i < count; i++) values[i] = bytes.readDoubleLE(start + 8 * i);
}
