import type { CountNight } from "../../grid/count-night.ts";
import { NEXT_NIGHTS } from "../../grid/next-nights.ts";
import { stripPicture } from "../../grid/strip.ts";
import { type Html, html } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";

/** The nights of a category as a small picture, with the fewest and the most free rooms. */
export function outlookPicture(nights: readonly CountNight[] | undefined): Html {
  const values = (nights ?? []).map(({ closed, available }) => (closed ? 0 : available));
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return html`<span class="muted">nothing received</span>`;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const range = low === high ? amount(low) : `${amount(low)}–${amount(high)}`;
  return html`<span class="outlook">${stripPicture({ values, foot: 0, title: `The next ${NEXT_NIGHTS} nights` })} ${range}</span>`;
}
