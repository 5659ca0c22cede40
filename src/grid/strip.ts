import { line } from "d3-shape";
import { type Html, html, nothing } from "../web/html.ts";

const WIDTH = 120;
const HEIGHT = 18;

/** A row of numbers, `undefined` where there is none, and the value at the foot of the picture. `title` says it in words. */
export type Strip = { values: readonly (number | undefined)[]; foot: number; title: string };

/** A small picture of a row, gaps left out; nothing when it has fewer than two numbers. */
export function stripPicture(strip: Strip): Html {
  if (strip.values.filter((value) => value !== undefined).length < 2) return nothing;
  return html`<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" preserveAspectRatio="none" role="img">
    <title>${strip.title}</title>
    <path d="${shape(strip)}" fill="currentColor" />
  </svg>`;
}

/** `90`, or `90 to 150`. */
export function rangeText(low: string, high: string): string {
  return low === high ? low : `${low} to ${high}`;
}

type Corner = [x: number, y: number];

const GAP: Corner = [Number.NaN, Number.NaN];
const draw = line<Corner>()
  .defined((corner) => corner !== GAP)
  .digits(1);

/** Each value is as wide as its day; what is between gaps begins and ends at the foot, so that it can be filled. */
function shape({ values, foot }: Strip): string {
  const highest = values.reduce<number>((high, value) => Math.max(high, value ?? foot), foot + 1);
  const x = (day: number) => (day * WIDTH) / values.length;
  const y = (value: number) => HEIGHT - ((value - foot) * (HEIGHT - 1)) / (highest - foot);
  const corners: Corner[] = [];
  for (const [day, value] of values.entries()) {
    if (value === undefined) continue;
    const [before, after] = [values[day - 1], values[day + 1]];
    if (before === undefined) corners.push([x(day), HEIGHT]);
    if (before !== value) corners.push([x(day), y(value)]);
    if (after !== value) corners.push([x(day + 1), y(value)]);
    if (after === undefined) corners.push([x(day + 1), HEIGHT], GAP);
  }
  return draw(corners) ?? "";
}
