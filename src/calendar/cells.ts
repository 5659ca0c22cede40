import type { ByteReader, ByteWriter } from "./bytes.ts";
import { Distinct } from "./distinct.ts";
import { KEPT } from "./page.ts";
import { append, everyCell, type Runs, runsFrom, SPAN_DAYS, uniform } from "./runs.ts";

/** How the cells of a column are written; `codec.ts` describes each. */
const CONSTANT = 0;
const RUNS = 1;
const PLAIN = 2;
const DICTIONARY = 3;

const WIDTHS: ReadonlySet<number> = new Set([1, 2, 4, 8]);

/** Added to a cell, so that `KEPT` is stored as 0 and `NOTHING` as 1. Eight bytes hold the cell itself, as a float. */
const SHIFT = 2;

const distinct = new Distinct();

/** Writes the cells of a column in whichever of the four ways is shortest. */
export function writeCells(writer: ByteWriter, runs: Runs): void {
  const width = widthFor(runs.cells);
  const form = shortest(runs, width);
  writer.byte(form * 16 + width);
  if (form === CONSTANT) writeValues(writer, runs.cells, width);
  else if (form === RUNS) writeRuns(writer, runs, width);
  else if (form === PLAIN) writeValues(writer, everyCell(runs), width);
  else writeDictionary(writer, width);
}

/** The cells of one column; `undefined` when this version does not know their form. */
export function readCells(reader: ByteReader): Runs | undefined {
  const head = reader.byte();
  const width = head % 16;
  const read = READERS[head >> 4];
  if (!read || !WIDTHS.has(width)) return undefined;
  const runs = read(reader, width);
  return runs.ends.at(-1) === SPAN_DAYS ? runs : undefined;
}

/** Stands for skipped cells. */
export const SKIPPED = "skipped";

/** Skips the cells of one column; `undefined` as in `readCells`. */
export function skipCells(reader: ByteReader): typeof SKIPPED | undefined {
  const head = reader.byte();
  const skip = SKIPPERS[head >> 4];
  if (!skip || !WIDTHS.has(head % 16)) return undefined;
  skip(reader, head % 16);
  return SKIPPED;
}

/** The bytes that the largest cell needs. */
function widthFor(cells: readonly number[]): number {
  let largest = KEPT;
  for (const cell of cells) if (cell > largest) largest = cell;
  const stored = largest + SHIFT;
  if (stored < 2 ** 8) return 1;
  if (stored < 2 ** 16) return 2;
  return stored < 2 ** 32 ? 4 : 8;
}

function shortest(runs: Runs, width: number): number {
  if (runs.cells.length === 1) return CONSTANT;
  const asRuns = runs.cells.length * (width + 1);
  const best = Math.min(asRuns, SPAN_DAYS * width);
  const kinds = width > 1 && best > SPAN_DAYS ? distinct.collect(runs) : undefined;
  if (kinds !== undefined && kinds * width + SPAN_DAYS < best) return DICTIONARY;
  return asRuns <= SPAN_DAYS * width ? RUNS : PLAIN;
}

function writeRuns(writer: ByteWriter, { ends, cells }: Runs, width: number): void {
  writer.varint(ends.length);
  for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
    writer.varint(ends[run]! - start);
    writeValue(writer, cells[run]!, width);
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

function writeValues(writer: ByteWriter, values: readonly number[], width: number): void {
  const count = values.length;
  const { bytes, at } = writer.room(count * width);
  if (width === 1) for (let i = 0; i < count; i++) bytes[at + i] = values[i]! + SHIFT;
  else if (width === 2) for (let i = 0; i < count; i++) bytes.writeUInt16LE(values[i]! + SHIFT, at + 2 * i);
  else if (width === 4) for (let i = 0; i < count; i++) bytes.writeUInt32LE(values[i]! + SHIFT, at + 4 * i);
  else for (let i = 0; i < count; i++) bytes.writeDoubleLE(values[i]!, at + 8 * i);
  writer.advance(count * width);
}

const READERS: readonly ((reader: ByteReader, width: number) => Runs)[] = [readConstant, readRuns, readPlain, readDictionary];

function readConstant(reader: ByteReader, width: number): Runs {
  return uniform(readValue(reader, width));
}

function readRuns(reader: ByteReader, width: number): Runs {
  const runs: Runs = { ends: [], cells: [] };
  let at = 0;
  for (let left = reader.varint(); left > 0; left--) {
    at += reader.varint();
    append(runs, at, readValue(reader, width));
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
  if (width === 1) return bytes[start]! - SHIFT;
  if (width === 2) return bytes.readUInt16LE(start) - SHIFT;
  return width === 4 ? bytes.readUInt32LE(start) - SHIFT : bytes.readDoubleLE(start);
}
