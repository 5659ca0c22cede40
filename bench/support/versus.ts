import type { Row } from "./figures.ts";
import { type Load, measure, type Measured } from "./load.ts";
import type { Pace } from "./pace.ts";
import { measureRounds, ratioRow } from "./rounds.ts";

/** The service and its reference under the same load, in turns. */
export type Versus = {
  name: string;
  engine: string;
  service: string;
  reference: string;
  load: Omit<Load, "url" | "seconds">;
  /** Smallest ratio of the two throughputs; undefined where none is asked for. */
  target: number | undefined;
  /** Largest allowed ratio of the two p99. */
  p99?: number | undefined;
};

/** There is little of it to warm up. */
const REFERENCE_WARM_UP_SECONDS = 0.3;

/** Warms both up, then measures them in rounds; a row for the throughput, and one for p99 where it has a target. */
export async function compare({ name, engine, load, target, p99, ...urls }: Versus, pace: Pace): Promise<Row[]> {
  const under = (url: string) => (seconds: number) => measure({ ...load, url, seconds });
  const [measured, reference] = [under(urls.service), under(urls.reference)];
  await reference(Math.min(pace.warmUpSeconds, REFERENCE_WARM_UP_SECONDS));
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference });
  const only = (of: keyof Measured) => rounds.map((round) => ({ measured: round.measured[of], reference: round.reference[of] }));
  const atLeast = target === undefined ? undefined : ({ at: "least", value: target } as const);
  const rows = [ratioRow(only("perSecond"), { name, engine, target: atLeast, tell: (one) => `${one.toFixed(0)} req/s` })];
  if (p99 === undefined) return rows;
  const tell = (one: number) => `${one.toFixed(0)} ms p99`;
  return [...rows, ratioRow(only("p99"), { name: `${name}, ms p99`, engine, target: { at: "most", value: p99 }, tell })];
}
