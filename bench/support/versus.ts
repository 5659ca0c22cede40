import type { Row } from "./figures.ts";
import { type Load, measure } from "./load.ts";
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
};

/** There is little of it to warm up. */
const REFERENCE_WARM_UP_SECONDS = 0.3;

/** Warms both up, then measures them in rounds. */
export async function compare({ name, engine, load, target, ...urls }: Versus, pace: Pace): Promise<Row[]> {
  const under = (url: string) => (seconds: number) => measure({ ...load, url, seconds });
  const [measured, reference] = [under(urls.service), under(urls.reference)];
  await reference(Math.min(pace.warmUpSeconds, REFERENCE_WARM_UP_SECONDS));
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference });
  const pairs = rounds.map((round) => ({ measured: round.measured.perSecond, reference: round.reference.perSecond }));
  const atLeast = target === undefined ? undefined : ({ at: "least", value: target } as const);
  return [ratioRow(pairs, { name, engine, target: atLeast, tell: (one) => `${one.toFixed(0)} req/s` })];
}
