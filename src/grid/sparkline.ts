import { type Html, html, emptyHtml } from "../web/html.ts";

const WIDTH_PIXELS = 120;
const HEIGHT_PIXELS = 18;

/** One number per day; `undefined` leaves a gap. */
export type Sparkline = {
  values: readonly (number | undefined)[];
  baseline: number;
  title: string;
};

export type LabelledSparkline = Sparkline & {
  format(value: number): string;
  unit: string;
  emptyText: string;
};

export function labelledSparkline({ values, baseline, title, format, unit, emptyText }: LabelledSparkline): Html {
  const knownValues = values.filter((value) => value !== undefined);
  if (knownValues.length === 0) return html`<span class="muted">${emptyText}</span>`;
  const [low, high] = [format(Math.min(...knownValues)), format(Math.max(...knownValues))];
  return html`<span class="with-sparkline"
    >${sparkline({ values, baseline, title })} ${low === high ? low : `${low}–${high}`} ${unit}</span
  >`;
}

/** Draws nothing if fewer than two values are known. */
export function sparkline(line: Sparkline): Html {
  if (line.values.filter((value) => value !== undefined).length < 2) return emptyHtml;
  const content = html`<title>${line.title}</title><path d="${linePath(line)}" />`;
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH_PIXELS} ${HEIGHT_PIXELS}" preserveAspectRatio="none" role="img">${content}</svg>`;
}

export function rangeText(low: string, high: string): string {
  return low === high ? low : `${low} to ${high}`;
}

/** Draws one step per day. Each section between gaps starts and ends at the bottom, so that it can be filled. */
function linePath({ values, baseline }: Sparkline): string {
  const highestValue = values.reduce<number>((high, value) => Math.max(high, value ?? baseline), baseline + 1);
  const x = (day: number) => roundPixel((day * WIDTH_PIXELS) / values.length);
  const y = (value: number) => roundPixel(HEIGHT_PIXELS - ((value - baseline) * (HEIGHT_PIXELS - 1)) / (highestValue - baseline));
  let path = "";
  for (const [day, value] of values.entries()) {
    const [before, after] = [values[day - 1], values[day + 1]];
    if (value === undefined) continue;
    if (before === undefined) path += `M${x(day)},${HEIGHT_PIXELS}`;
    if (before !== value) path += `V${y(value)}`;
    if (after !== value) path += `H${x(day + 1)}`;
    if (after === undefined) path += `V${HEIGHT_PIXELS}`;
  }
  return path;
}

function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}
