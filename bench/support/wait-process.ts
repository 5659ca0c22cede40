import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../../src/clock.ts";
import type { Visit } from "../cases/steady.ts";

const PAUSE_MS = 3;

process.on("message", async (visit: Visit) => {
  await ask(visit);
  const elapsed = stopwatch();
  let longest = 0;
  while (elapsed() < visit.seconds * 1000) {
    longest = Math.max(longest, await ask(visit));
    await sleep(PAUSE_MS);
  }
  process.send!(longest);
});

async function ask({ url, headers }: Visit): Promise<number> {
  const elapsed = stopwatch();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return elapsed();
}
