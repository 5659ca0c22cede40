import { type Attribute, type AttributeValue, isText } from "./attributes.ts";
import type { Night } from "./night.ts";
import { type Runs, SPAN_DAYS, uniform } from "./runs.ts";

/** In a cell: nothing was received for the night. */
export const NOTHING = -1;
/** In a cell of an undo record: the message left the night as it was. */
export const KEPT = -2;

/**
 * `SPAN_DAYS` consecutive nights of one category and lane; a column exists only when a night has used it.
 * A cell is a number, or the place of a text in `texts`.
 */
export type Page = {
  span: number;
  first: Night;
  columns: Map<Attribute, Runs>;
  texts: string[];
};

/** The number of the span in which a night lies. */
export function spanOf(night: Night): number {
  return Math.floor(night / SPAN_DAYS);
}

/** A page without any value. */
export function emptyPage(span: number): Page {
  return { span, first: span * SPAN_DAYS, columns: new Map(), texts: [] };
}

/** The cells of a column without any value. */
export const UNUSED: Readonly<Runs> = uniform(NOTHING);

/** The cells of a column, which it adds, all `blank`, when the page lacks it. */
export function runsOf(page: Page, column: Attribute, blank = NOTHING): Runs {
  const known = page.columns.get(column);
  if (known) return known;
  const made = uniform(blank);
  page.columns.set(column, made);
  return made;
}

/** The cell for a value. Throws `TypeError` when the column cannot hold it. */
export function toCell(page: Page, column: Attribute, value: AttributeValue | undefined): number {
  if (value === undefined) return NOTHING;
  if (isText(column) !== (typeof value === "string")) throw new TypeError(`Attribute ${column} cannot hold ${JSON.stringify(value)}`);
  if (typeof value === "string") return placeOf(page, value);
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`Attribute ${column} cannot hold ${value}`);
  return value;
}

/** A cell's value. */
export function fromCell(page: Page, column: Attribute, cell: number): AttributeValue | undefined {
  if (cell < 0) return undefined;
  return isText(column) ? page.texts[cell] : cell;
}

/** As many texts are searched faster than looked up; pages hardly have more, but each line of a message may have a text of its own. */
const FEW = 16;
const places = new WeakMap<string[], Map<string, number>>();

function placeOf({ texts }: Page, text: string): number {
  const known = texts.length > FEW ? indexOfTexts(texts) : undefined;
  const place = known ? (known.get(text) ?? -1) : texts.indexOf(text);
  if (place >= 0) return place;
  known?.set(text, texts.length);
  return texts.push(text) - 1;
}

function indexOfTexts(texts: string[]): Map<string, number> {
  let known = places.get(texts);
  if (!known) places.set(texts, (known = new Map(texts.map((text, place) => [text, place]))));
  return known;
}
