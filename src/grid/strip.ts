import { scaleLinear } from "d3-scale";
import { area } from "d3-shape";
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

type Corner = { day: number; value: number | undefined };

/** Each value is as wide as its day: a corner where it begins and one where it ends. */
function shape({ values, foot }: Strip): string {
  const highest = values.reduce<number>((high, value) => Math.max(high, value ?? foot), foot + 1);
  const x = scaleLinear([0, values.length], [0, WIDTH]);
  const y = scaleLinear([foot, highest], [HEIGHT, 1]);
  const corners = values.flatMap((value, day): Corner[] => [
    { day, value },
    { day: day + 1, value },
  ]);
  const draw = area<Corner>()
    .defined(({ value }) => value !== undefined)
    .x(({ day }) => x(day))
    .y0(HEIGHT)
    .y1(({ value }) => y(value!))
    .digits(1);
  return draw(corners) ?? "";
}
