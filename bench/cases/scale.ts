import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import { figure, type Row } from "../support/figures.ts";
import { CREDENTIAL, startService } from "../support/service.ts";

const SMALL = { properties: 1_000, categories: 1, nights: 0, errors: 1_000, messages: 1_000 };
const LARGE = { properties: 10_000, categories: 10, nights: 0, errors: 1_000_000, messages: 100_000 };

const LISTS = [
  "/property",
  "/property?q=SEED00077",
  "/property?status=inactive",
  "/category",
  "/category?hotelCode=SEED00077",
  "/tools/errors",
  "/tools/errors?class=NotFoundException&status=404",
  "/dev/logs",
  "/dev/logs?property=SEED00077",
  "/",
  "/tools",
];
const TIMES = 40;

export const scale: Bench = {
  name: "scale",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    await using small = await startService(await seeded(SMALL));
    await using large = await startService(await seeded(scaled(pace.scale)));
    const rows: Row[] = [];
    for (const path of LISTS) rows.push(await compareList(path, { small: small.url, large: large.url, engine }));
    return rows;
  },
};

function scaled(factor: number): typeof LARGE {
  return { ...LARGE, properties: LARGE.properties * factor, errors: LARGE.errors * factor, messages: LARGE.messages * factor };
}

async function compareList(path: string, { small, large, engine }: { small: string; large: string; engine: string }): Promise<Row> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let i = -5; i < TIMES; i++) {
    const [shorter, longer] = [await time(small + path), await time(large + path)];
    if (i < 0) continue;
    times.small.push(shorter);
    times.large.push(longer);
  }
  const [baseline, { median, spread }] = [figure(times.small), figure(times.large)];
  const text = { measured: `${median.toFixed(2)} ms`, reference: `${baseline.median.toFixed(2)} ms small` };
  return { name: `large store, ${path}`, engine, ...text, ratio: median / baseline.median, spread, target: { at: "most", value: 1.5 } };
}

async function time(url: string): Promise<number> {
  const elapsed = stopwatch();
  const response = await fetch(url, { headers: CREDENTIAL });
  await response.text();
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return elapsed();
}
