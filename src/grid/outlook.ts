import { type Html, html } from "../web/html.ts";
import { stripPicture } from "./strip.ts";

/** What some nights come to, a number each; `undefined` where nothing is known. */
export type Outlook = {
  values: readonly (number | undefined)[];
  /** The number at the foot of the picture. */
  foot: number;
  /** Says what the picture shows. */
  title: string;
  /** A number as people read it. */
  word(value: number): string;
  /** Follows the numbers, such as a currency; empty where they say all. */
  unit: string;
  /** Stands there when no night has a number. */
  none: string;
};

/** That of a whole grid; `json` is a number as programs read it, under its name. */
export type GridOutlook = Outlook & { json(value: number): object };

/** The nights as a small picture, with the least and the most of them. */
export function outlookPicture({ values, foot, title, word, unit, none }: Outlook): Html {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return html`<span class="muted">${none}</span>`;
  const [low, high] = [word(Math.min(...known)), word(Math.max(...known))];
  return html`<span class="outlook">${stripPicture({ values, foot, title })} ${low === high ? low : `${low}–${high}`} ${unit}</span>`;
}
