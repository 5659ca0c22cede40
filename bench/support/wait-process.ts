import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../../src/clock.ts";
import type { Visit } from "./wait.ts";

const PAUSE_MS = 3;

process.on("message", async (visit: Visit) => {
  await ask(visit);
  const whole = stopwatch();
  let longest = 0;
  while (whole() < visit.seconds * 1000) {
    longest = Math.max(longest, await ask(visit));
    await sleep(PAUSE_MS);
  }
  process.send!(longest);
});

/** Milliseconds until the whole answer is there. */
async function ask({ url, headers }: Visit): Promise<number> {
  const elapsed = stopwatch();
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return elapsed();
}
