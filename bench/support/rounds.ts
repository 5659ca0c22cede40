import { figure, type Row } from "./figures.ts";
import type { Pace } from "./pace.ts";

/** What one round measured of the service, and of what it is held against. */
export type Round<T> = { measured: T; reference: T };

/** Both sides of a comparison; each measures for so many seconds. */
type Sides<T> = { measured(seconds: number): Promise<T>; reference(seconds: number): Promise<T> };

/** Measures both in turns: a machine that slows down for a while slows both. */
export async function measureRounds<T>({ rounds: count, seconds }: Pace, { measured, reference }: Sides<T>): Promise<Round<T>[]> {
  const rounds: Round<T>[] = [];
  for (let i = 0; i < count; i++) {
    const before = await reference(seconds);
    rounds.push({ reference: before, measured: await measured(seconds) });
  }
  return rounds;
}

/** What is said of the rounds: `tell` words a figure, `against` says what the reference does. */
type Said = Pick<Row, "name" | "engine" | "target"> & { tell(figure: number): string; against?: string };

/** The row with the median of the ratios. */
export function ratioRow(rounds: readonly Round<number>[], { name, engine, target, tell, against = "" }: Said): Row {
  const { median: ratio, spread } = figure(rounds.map(({ measured, reference }) => measured / reference));
  const median = (side: keyof Round<number>) => tell(figure(rounds.map((round) => round[side])).median);
  return { name, engine, measured: median("measured"), reference: `${median("reference")}${against}`, ratio, spread, target };
}
