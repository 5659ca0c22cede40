import { type Attribute, type AttributeValue, isText } from "./attributes.ts";
import type { Night } from "./night.ts";
import { type Runs, SPAN_DAYS, uniformRuns } from "./runs.ts";

/** Cell value for a night for which nothing was received. */
export const NO_VALUE = -1;
/** Cell value in an undo record for a night that the message did not change. */
export const UNCHANGED_CELL = -2;

/**
 * A page of `SPAN_DAYS` consecutive nights of one lane. A column exists only if it has been used. Cells are numbers or, in text columns,
 * indexes into `texts`.
 */
export type Page = {
  span: number;
  first: Night;
  columns: Map<Attribute, Runs>;
  texts: string[];
};

export function spanOf(night: Night): number {
  return Math.floor(night / SPAN_DAYS);
}

export function emptyPage(span: number): Page {
  return { span, first: span * SPAN_DAYS, columns: new Map(), texts: [] };
}

export const UNUSED_COLUMN: Readonly<Runs> = uniformRuns(NO_VALUE);

export function columnRuns(page: Page, column: Attribute, blank = NO_VALUE): Runs {
  const existingRuns = page.columns.get(column);
  if (existingRuns) return existingRuns;
  const newRuns = uniformRuns(blank);
  page.columns.set(column, newRuns);
  return newRuns;
}

export function toCell(page: Page, column: Attribute, value: AttributeValue | undefined): number {
  if (value === undefined) return NO_VALUE;
  if (isText(column) !== (typeof value === "string")) throw new TypeError(`Attribute ${column} cannot hold ${JSON.stringify(value)}`);
  if (typeof value === "string") return textIndex(page, value);
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`Attribute ${column} cannot hold ${value}`);
  return value;
}

export function fromCell(page: Page, column: Attribute, cell: number): AttributeValue | undefined {
  if (cell < 0) return undefined;
  return isText(column) ? page.texts[cell] : cell;
}

/** A linear scan is faster than a Map for up to 16 strings, and most pages have fewer. */
const MAX_SCANNED_TEXTS = 16;
const textIndexes = new WeakMap<string[], Map<string, number>>();

function textIndex({ texts }: Page, text: string): number {
  const index = texts.length > MAX_SCANNED_TEXTS ? indexTexts(texts) : undefined;
  const existingIndex = index ? (index.get(text) ?? -1) : texts.indexOf(text);
  if (existingIndex >= 0) return existingIndex;
  index?.set(text, texts.length);
  return texts.push(text) - 1;
}

function indexTexts(texts: string[]): Map<string, number> {
  let index = textIndexes.get(texts);
  if (!index) textIndexes.set(texts, (index = new Map(texts.map((text, i) => [text, i]))));
  return index;
}
