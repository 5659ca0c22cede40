/** A median, and the spread: the range of all values divided by the median. */
export type Figure = { median: number; spread: number };

export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median, spread: (sorted.at(-1)! - sorted[0]!) / median };
}

export type Row = {
  name: string;
  engine: string;
  measured: string;
  reference: string;
  ratio: number;
  /** Undefined if measured only once. */
  spread: number | undefined;
  target: { at: "least" | "most"; value: number } | undefined;
};

export function isMet({ ratio, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  return target.at === "least" ? ratio >= target.value : ratio <= target.value;
}

/** A figure with an absolute limit instead of a reference. */
export type Limited = { median: number; spread: number | undefined; limit: number; unit: string };

export function limitRow(name: string, engine: string, { median, spread, limit, unit }: Limited): Row {
  const measured = `${median.toFixed(0)} ${unit}`;
  const target = { at: "most", value: 1 } as const;
  return { name, engine, measured, reference: `limit ${limit} ${unit}`, ratio: median / limit, spread, target };
}
