import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import { limitRow, type Row } from "../support/figures.ts";
import type { Headers } from "../support/load.ts";
import { inOwnProcess } from "../support/own-process.ts";
import { addSender, CREDENTIAL, startService } from "../support/service.ts";

const PROPERTIES = 200;
const PER_SECOND = 1_000;
/** Without a warm-up, just-in-time compilation would dominate the 99th percentile. */
const WARM_UP_SECONDS = 3;
const DELAY_MS = 250;
const CHANGES_PER_SECOND = 20_000;
/** Number of changes that a returning reader has missed. */
const MISSED_CHANGES = 100_000;

export type FollowedLoad = { url: string; sender: Headers; reader: Headers; perSecond: number; seconds: number; properties: number };
export type FollowFigures = { perSecond: number; p50: number; p99: number; missing: number };

/** Measures the delay from the response to a message until its event arrives, and how fast a reader catches up. */
export const feed: Bench = {
  name: "feed",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
    await using service = await startService(store);
    const load = { url: service.url, sender: addSender(store), reader: CREDENTIAL, properties: PROPERTIES };
    const follow = (perSecond: number, seconds: number) =>
      inOwnProcess<FollowFigures>(new URL("../support/feed-process.ts", import.meta.url), { ...load, perSecond, seconds });
    await follow(PER_SECOND, WARM_UP_SECONDS);
    const { perSecond, p99, missing } = await follow(PER_SECOND, pace.seconds * 5);
    if (missing > 0) throw new Error(`${missing} messages had no event`);
    const seconds = (MISSED_CHANGES * pace.scale) / PER_SECOND - pace.seconds * 5;
    if (seconds > 0) await follow(PER_SECOND, seconds);
    const delay = { median: p99, spread: undefined, limit: DELAY_MS, unit: "ms" };
    return [
      limitRow(`p99 from answer to event at ${perSecond.toFixed(0)} deltas/s`, engine, delay),
      ...(await catchUp(service.url, engine)),
    ];
  },
};

async function catchUp(url: string, engine: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, query] of [
    ["without values", ""],
    ["with values", "?include=values"],
  ] as const) {
    const elapsed = stopwatch();
    const response = await fetch(`${url}/changes${query}`, { headers: { ...CREDENTIAL, accept: "application/x-ndjson" } });
    const lines = (await response.text()).split("\n").length - 2;
    const perSecond = (lines / elapsed()) * 1_000;
    rows.push({
      name: `reader that is ${lines} changes behind, ${name}`,
      engine,
      measured: `${perSecond.toFixed(0)} changes/s`,
      reference: `goal ${CHANGES_PER_SECOND} changes/s`,
      ratio: perSecond / CHANGES_PER_SECOND,
      spread: undefined,
      target: name === "without values" ? { at: "least", value: 1 } : undefined,
    });
  }
  return rows;
}
