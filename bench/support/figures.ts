/** The median of some figures, and how far the smallest and largest lie from it, as parts of it. */
export type Figure = { median: number; spread: number };

export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median, spread: (sorted.at(-1)! - sorted[0]!) / median };
}

/** One line of the table: what was measured against its reference, and the ratio that the target names. */
export type Row = {
  name: string;
  engine: string;
  measured: string;
  reference: string;
  /** Median of the ratios of the rounds. */
  ratio: number;
  /** Undefined for what is measured once. */
  spread: number | undefined;
  /** `at least` or `at most` this; undefined for what is told without one. */
  target: { at: "least" | "most"; value: number } | undefined;
};

/** Undefined without a target. */
export function isMet({ ratio, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  return target.at === "least" ? ratio >= target.value : ratio <= target.value;
}

/** What has a limit of its own; `spread` is undefined for what is measured once. */
export type Limited = { median: number; spread: number | undefined; limit: number; unit: string };

export function limitRow(name: string, engine: string, { median, spread, limit, unit }: Limited): Row {
  const measured = `${median.toFixed(0)} ${unit}`;
  const target = { at: "most", value: 1 } as const;
  return { name, engine, measured, reference: `${limit} ${unit} allowed`, ratio: median / limit, spread, target };
}
