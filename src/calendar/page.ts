import { type Attribute, type AttributeValue, isText } from "./attributes.ts";
import type { Night } from "./night.ts";
import { type Runs, SPAN_DAYS, uniform } from "./runs.ts";

/** Cell value: nothing received. */
export const NOTHING = -1;
/** Cell value in an undo record: the message did not change the night. */
export const KEPT = -2;

/**
 * `SPAN_DAYS` consecutive nights of one lane. A column exists only if a night has used it.
 * A cell is a number, or an index into `texts`.
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

export const UNUSED: Readonly<Runs> = uniform(NOTHING);

export function runsOf(page: Page, column: Attribute, blank = NOTHING): Runs {
  const known = page.columns.get(column);
  if (known) return known;
  const made = uniform(blank);
  page.columns.set(column, made);
  return made;
}

export function toCell(page: Page, column: Attribute, value: AttributeValue | undefined): number {
  if (value === undefined) return NOTHING;
  if (isText(column) !== (typeof value === "string")) throw new TypeError(`Attribute ${column} cannot hold ${JSON.stringify(value)}`);
  if (typeof value === "string") return textIndex(page, value);
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`Attribute ${column} cannot hold ${value}`);
  return value;
}

export function fromCell(page: Page, column: Attribute, cell: number): AttributeValue | undefined {
  if (cell < 0) return undefined;
  return isText(column) ? page.texts[cell] : cell;
}

/** Up to 16 texts, a linear scan beats a Map. Most pages have fewer, but each line of a message can add one. */
const MAX_SCANNED = 16;
const indexes = new WeakMap<string[], Map<string, number>>();

function textIndex({ texts }: Page, text: string): number {
  const known = texts.length > MAX_SCANNED ? indexOf(texts) : undefined;
  const place = known ? (known.get(text) ?? -1) : texts.indexOf(text);
  if (place >= 0) return place;
  known?.set(text, texts.length);
  return texts.push(text) - 1;
}

function indexOf(texts: string[]): Map<string, number> {
  let known = indexes.get(texts);
  if (!known) indexes.set(texts, (known = new Map(texts.map((text, place) => [text, place]))));
  return known;
}
