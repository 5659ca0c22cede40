import { type Html, html, nothing } from "../web/html.ts";

const WIDTH = 120;
const HEIGHT = 18;

/** A row of numbers, `undefined` where there is none, and the value at the foot of the picture. `title` says it in words. */
export type Strip = { values: readonly (number | undefined)[]; foot: number; title: string };

/** A small picture of a row, gaps left out; nothing when it has fewer than two numbers. */
export function stripPicture(strip: Strip): Html {
  if (strip.values.filter((value) => value !== undefined).length < 2) return nothing;
  const content = html`<title>${strip.title}</title><path d="${shape(strip)}" />`;
  return html`<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img">${content}</svg>`;
}

/** `90`, or `90 to 150`. */
export function rangeText(low: string, high: string): string {
  return low === high ? low : `${low} to ${high}`;
}

/** Each value is as wide as its day; what is between gaps begins and ends at the foot, so that it can be filled. */
function shape({ values, foot }: Strip): string {
  const highest = values.reduce<number>((high, value) => Math.max(high, value ?? foot), foot + 1);
  const x = (day: number) => tenths((day * WIDTH) / values.length);
  const y = (value: number) => tenths(HEIGHT - ((value - foot) * (HEIGHT - 1)) / (highest - foot));
  let path = "";
  for (const [day, value] of values.entries()) {
    const [before, after] = [values[day - 1], values[day + 1]];
    if (value === undefined) continue;
    if (before === undefined) path += `M${x(day)},${HEIGHT}`;
    if (before !== value) path += `V${y(value)}`;
    if (after !== value) path += `H${x(day + 1)}`;
    if (after === undefined) path += `V${HEIGHT}`;
  }
  return path;
}

/** Rounds to one decimal. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
