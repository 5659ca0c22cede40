import { figure, type Row } from "./figures.ts";
import { type Load, measure, type Measured } from "./load.ts";
import type { Pace } from "./pace.ts";

/** The service and its reference under the same load, in turns. */
export type Versus = {
  name: string;
  engine: string;
  service: string;
  reference: string;
  load: Omit<Load, "url" | "seconds">;
  /** Smallest ratio of the two throughputs. */
  target: number;
  /** Largest allowed ratio of the two p99. */
  p99?: number;
};

/** There is little of it to warm up. */
const REFERENCE_WARM_UP_SECONDS = 0.3;

/** Warms both up, then measures them in interleaved rounds; a row for the throughput, and one for p99 where it has a target. */
export async function compare(versus: Versus, pace: Pace): Promise<Row[]> {
  const once = (url: string, seconds: number) => measure({ ...versus.load, url, seconds });
  await once(versus.reference, Math.min(pace.warmUpSeconds, REFERENCE_WARM_UP_SECONDS));
  await once(versus.service, pace.warmUpSeconds);
  const rounds: { service: Measured; reference: Measured }[] = [];
  for (let i = 0; i < pace.rounds; i++) {
    const reference = await once(versus.reference, pace.seconds);
    rounds.push({ reference, service: await once(versus.service, pace.seconds) });
  }
  const rows = [rowOf(versus, rounds, { unit: "req/s", of: (one) => one.perSecond, at: "least", target: versus.target })];
  if (versus.p99 !== undefined) rows.push(rowOf(versus, rounds, { unit: "ms p99", of: (one) => one.p99, at: "most", target: versus.p99 }));
  return rows;
}

type Measure = { unit: string; of(measured: Measured): number; at: "least" | "most"; target: number };

function rowOf(versus: Versus, rounds: readonly { service: Measured; reference: Measured }[], { unit, of, at, target }: Measure): Row {
  const ratios = figure(rounds.map(({ service, reference }) => of(service) / of(reference)));
  const text = (which: "service" | "reference") => `${figure(rounds.map((round) => of(round[which]))).median.toFixed(0)} ${unit}`;
  return {
    name: unit === "req/s" ? versus.name : `${versus.name}, ${unit}`,
    engine: versus.engine,
    measured: text("service"),
    reference: text("reference"),
    ratio: ratios.median,
    spread: ratios.spread,
    target: { at, value: target },
  };
}
