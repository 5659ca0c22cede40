import type { Pace } from "../bench.ts";
import { figure, type Row } from "./figures.ts";
import { type Load, measure } from "./load.ts";

/** The two sides of a comparison. Each function measures for `seconds` and returns a rate. */
type Sides = { measured(seconds: number): Promise<number>; reference(seconds: number): Promise<number> };
type Round = { measured: number; reference: number };

/** Alternates between both sides, so that a temporary slowdown of the machine affects both. */
export async function measureRounds({ rounds: count, seconds }: Pace, { measured, reference }: Sides): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let i = 0; i < count; i++) {
    const before = await reference(seconds);
    rounds.push({ reference: before, measured: await measured(seconds) });
  }
  return rounds;
}

type RowText = Pick<Row, "name" | "engine" | "target"> & {
  format(figure: number): string;
  /** Printed after the reference's figure, such as " parsed". */
  referenceSuffix?: string;
};

export function ratioRow(rounds: readonly Round[], { name, engine, target, format, referenceSuffix = "" }: RowText): Row {
  const { median: ratio, spread } = figure(rounds.map(({ measured, reference }) => measured / reference));
  const median = (side: keyof Round) => format(figure(rounds.map((round) => round[side])).median);
  return { name, engine, measured: median("measured"), reference: `${median("reference")}${referenceSuffix}`, ratio, spread, target };
}

export type Comparison = {
  name: string;
  engine: string;
  service: string;
  reference: string;
  load: Omit<Load, "url" | "seconds">;
  target: number | undefined;
};

/** The reference server has little code, so it warms up quickly. */
const REFERENCE_WARM_UP_SECONDS = 0.3;

export async function compare({ name, engine, load, target, ...urls }: Comparison, pace: Pace): Promise<Row> {
  const throughputOf = (url: string) => async (seconds: number) => (await measure({ ...load, url, seconds })).perSecond;
  const [measured, reference] = [throughputOf(urls.service), throughputOf(urls.reference)];
  await reference(Math.min(pace.warmUpSeconds, REFERENCE_WARM_UP_SECONDS));
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference });
  const minimumTarget = target === undefined ? undefined : ({ at: "least", value: target } as const);
  return ratioRow(rounds, { name, engine, target: minimumTarget, format: (rate) => `${rate.toFixed(0)} req/s` });
}
