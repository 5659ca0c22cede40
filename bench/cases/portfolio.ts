import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import { figure, limitRow, type Row } from "../support/figures.ts";
import type { Headers } from "../support/load.ts";
import { deltaMessage } from "../support/messages.ts";
import { addSender, CREDENTIAL, startService } from "../support/service.ts";

const SEEDED = { properties: 10_000, categories: 10, plans: 2, nights: 60, errors: 0, messages: 0 };
const PROBLEMS = ["closed", "stop sell", "sold out", "no price", "no count", "price&priceMax=50"];
const FILTERS = ["", ...PROBLEMS.map((problem) => `&problem=${problem.replace(" ", "+")}`), "&silent=2"];
const TIMES = 15;
const FILTER_LIMIT_MS = 300;
const CHANGED = 1_000;
const LAG_LIMIT_MS = 5_000;

/** Measures problem filters over 10,000 properties and 14 nights, and how long changes to a thousand properties take to appear. */
export const portfolio: Bench = {
  name: "portfolio",
  engines: ["SQLite", "PostgreSQL"],
  quick: [],
  async run({ engine, seeded }) {
    const store = await seeded(SEEDED);
    const headers = addSender(store);
    await using service = await startService(store);
    while (!(await readState(service.url)).complete) await sleep(1_000);
    const rows: Row[] = [];
    for (const filter of FILTERS) {
      const times: number[] = [];
      for (let i = -3; i < TIMES; i++) {
        const elapsed = stopwatch();
        await read(`${service.url}/inventories?choose=property&size=25${filter}`);
        if (i >= 0) times.push(elapsed());
      }
      const name = `portfolio, 14 nights, ${filter.slice(1) || "no filter"}`;
      rows.push(limitRow(name, engine, { ...figure(times), limit: FILTER_LIMIT_MS, unit: "ms" }));
    }
    const median = await measureLag(service.url, headers);
    const name = `portfolio, delay after the last of ${CHANGED} messages`;
    rows.push(limitRow(name, engine, { median, spread: undefined, limit: LAG_LIMIT_MS, unit: "ms" }));
    return rows;
  },
};

/** Returns the milliseconds from the last response until all changes are visible. */
async function measureLag(url: string, headers: Headers): Promise<number> {
  for (let property = 0; property < CHANGED; property++) {
    const answer = await fetch(`${url}/channel`, { method: "POST", headers: { ...headers }, body: deltaMessage(property, property) });
    await answer.text();
  }
  const elapsed = stopwatch();
  while ((await readState(url)).pendingChanges > 0) await sleep(50);
  return elapsed();
}

async function readState(url: string): Promise<{ complete: boolean; pendingChanges: number }> {
  return JSON.parse(await read(`${url}/inventories?format=json&q=nothing+like+this`)) as { complete: boolean; pendingChanges: number };
}

async function read(url: string): Promise<string> {
  const response = await fetch(url, { headers: CREDENTIAL });
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return response.text();
}
