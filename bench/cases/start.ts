import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import { figure, limitRow } from "../support/figures.ts";
import { CREDENTIAL, newStore, startService } from "../support/service.ts";

const LIMIT_MS = 600;

export const start: Bench = {
  name: "start",
  engines: ["SQLite"],
  async run({ pace, engine }) {
    const first: number[] = [];
    const second: number[] = [];
    for (let i = 0; i < 2 * pace.rounds + 1; i++) {
      const store = newStore("SQLite", undefined);
      first.push(await timeStart(store));
      second.push(await timeStart(store));
      store.remove();
    }
    const row = (name: string, times: readonly number[]) => limitRow(name, engine, { ...figure(times), limit: LIMIT_MS, unit: "ms" });
    return [row("start to first response, empty folder", first), row("start to first response, existing data", second)];
  },
};

async function timeStart(store: ReturnType<typeof newStore>): Promise<number> {
  const elapsed = stopwatch();
  await using service = await startService(store);
  const response = await fetch(`${service.url}/property`, { headers: CREDENTIAL });
  if (response.status !== 200) throw new Error(`the first response has status ${response.status}`);
  return elapsed();
}
