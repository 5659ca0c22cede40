import { ADULT_CODE, amountAttribute } from "./amounts.ts";
import {
  ALL_GROUPS,
  type Attribute,
  findDefinition,
  type Group,
  findGroup,
  isText,
  NAMED_ATTRIBUTES,
  setterName,
  setterNumber,
  type Tax,
} from "./attributes.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { readCells, SKIPPED, skipCells, writeCells } from "./cells.ts";
import { compareText } from "./compare-text.ts";
import { emptyPage, UNCHANGED_CELL, NO_VALUE, type Page } from "./page.ts";
import { isUniform, type Runs, SPAN_DAYS } from "./runs.ts";

/**
 * The stored form of a page. An undo record is a page in which most cells are `UNCHANGED_CELL`.
 *
 *     byte    version, 1
 *     varint  nights in the page; must be `SPAN_DAYS`
 *     varint  number of strings, then each as varint length and UTF-8
 *     varint  number of columns, then each as
 *       byte    name: its stored number (see `attributes.ts`), or 0 and the name as varint length and UTF-8
 *       byte    form * 16 + bytes per stored value: 1, 2, 4 (cell + 2, so 0 is `UNCHANGED_CELL` and 1 is `NO_VALUE`)
 *               or 8 (the cell as a float)
 *       form 0  one value for every night
 *       form 1  varint number of runs, then each as varint length and value
 *       form 2  one value per night
 *       form 3  byte number of distinct values, the values, then one byte per night with the index of its value
 *
 * A cell of a text column is an index into the strings. Numbers are little-endian; a varint has 7 bits per byte, low bits first.
 * Equal pages have equal bytes: columns are sorted by number, then by name. Strings are in order of first use, and unused ones are omitted.
 */
const PAGE_FORMAT_VERSION = 1;

const NAME_FOLLOWS_CODE = 0;

/** For these numbers of guests, adult amounts per night have their own column numbers, because such amounts are the most common. */
const NUMBERED_GUEST_COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const [FIRST_AFTER_TAX, FIRST_BEFORE_TAX] = [28, 39];

/** Column numbers in stored pages. Never change or reuse a number. */
const attributeNumbers: ReadonlyMap<Attribute, number> = new Map([
  ...NAMED_ATTRIBUTES.map((name) => [name, findDefinition(name).stored] as const),
  ...ALL_GROUPS.map((group) => [setterName(group), setterNumber(group)] as const),
  ...NUMBERED_GUEST_COUNTS.map((guests) => [adultAmount("after", guests), FIRST_AFTER_TAX + guests] as const),
  ...NUMBERED_GUEST_COUNTS.map((guests) => [adultAmount("before", guests), FIRST_BEFORE_TAX + guests] as const),
]);
const attributesByNumber: ReadonlyMap<number, Attribute> = new Map([...attributeNumbers].map(([name, number]) => [number, name]));

function adultAmount(tax: Tax, guests: number): Attribute {
  return amountAttribute({ tax, guests, age: ADULT_CODE, nights: 1 });
}

export class PageFormatError extends Error {
  override readonly name = "PageFormatError";
}

const writer = new ByteWriter();

export function encodePage(page: Page): Uint8Array | undefined {
  return encodeColumns(page, NO_VALUE);
}

export function encodeUndo(undo: Page): Uint8Array | undefined {
  return encodeColumns(undo, UNCHANGED_CELL);
}

/** Reads a page or an undo record, or only the columns and setters of `groups`. Throws `PageFormatError` or `TruncatedError`. */
export function decodePage(span: number, bytes: Uint8Array, groups?: readonly Group[]): Page {
  const reader = new ByteReader(bytes);
  checkHeader(reader);
  const page = emptyPage(span);
  for (let left = reader.varint(); left > 0; left--) page.texts.push(reader.text());
  for (let left = reader.varint(); left > 0; left--) {
    const column = readName(reader);
    const cells = isInGroups(column, groups) ? readCells(reader) : skipCells(reader);
    if (!cells) throw new PageFormatError(`A page of nights has column ${column} in a format that this version doesn't support`);
    if (cells !== SKIPPED) page.columns.set(column, cells);
  }
  return page;
}

function isInGroups(column: Attribute, groups: readonly Group[] | undefined): boolean {
  return groups === undefined || groups.some((group) => findGroup(column) === group || setterName(group) === column);
}

function encodeColumns(page: Page, blank: number): Uint8Array | undefined {
  const columns = usedColumns(page, blank);
  if (columns.length === 0) return undefined;
  const strings = packStrings(page, columns);
  writer.start();
  writer.byte(PAGE_FORMAT_VERSION);
  writer.varint(SPAN_DAYS);
  writer.varint(strings.length);
  for (const text of strings) writer.text(text);
  writer.varint(columns.length);
  for (const [column, runs] of columns) {
    writeName(column);
    writeCells(writer, runs);
  }
  return writer.take();
}

function checkHeader(reader: ByteReader): void {
  const version = reader.byte();
  if (version !== PAGE_FORMAT_VERSION)
    throw new PageFormatError(
      `A page of nights has format version ${version}; this version of Roomrack supports only ${PAGE_FORMAT_VERSION}`,
    );
  const nights = reader.varint();
  if (nights !== SPAN_DAYS) throw new PageFormatError(`A page contains ${nights} nights; this version of Roomrack expects ${SPAN_DAYS}`);
}

function usedColumns(page: Page, blank: number): [Attribute, Runs][] {
  const usedCells: [Attribute, Runs][] = [];
  let sorted = true;
  for (const entry of page.columns) {
    if (isUniform(entry[1], blank)) continue;
    sorted &&= usedCells.length === 0 || compareNames(usedCells.at(-1)!, entry) < 0;
    usedCells.push(entry);
  }
  return sorted ? usedCells : usedCells.sort(compareNames);
}

function compareNames([a]: [Attribute, Runs], [b]: [Attribute, Runs]): number {
  return (attributeNumbers.get(a) ?? 256) - (attributeNumbers.get(b) ?? 256) || compareText(a, b);
}

/** Returns the strings that the page uses, in order of first use, and its columns with renumbered cells. Doesn't modify the page. */
function packStrings(page: Page, columns: [Attribute, Runs][]): string[] {
  if (page.texts.length === 0) return [];
  const indexes = new Map<number, number>();
  const renumber = (cell: number) => (cell < 0 ? cell : indexes.getOrInsert(cell, indexes.size));
  for (const entry of columns) if (isText(entry[0])) entry[1] = { ...entry[1], cells: entry[1].cells.map(renumber) };
  return [...indexes.keys()].map((index) => page.texts[index]!);
}

function writeName(column: Attribute): void {
  const number = attributeNumbers.get(column);
  writer.byte(number ?? NAME_FOLLOWS_CODE);
  if (number === undefined) writer.text(column);
}

function readName(reader: ByteReader): Attribute {
  const number = reader.byte();
  if (number === NAME_FOLLOWS_CODE) return reader.text() as Attribute;
  const column = attributesByNumber.get(number);
  if (column === undefined) throw new PageFormatError(`A page of nights has column ${number}, which this version doesn't support`);
  return column;
}
