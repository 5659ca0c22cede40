import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 50;
/** Three minutes or more. Only there to say what did not happen: no machine that runs the tests is so slow. */
const TRIES = 3_600;

/** Asks again and again until there is an answer other than `false`, and returns it. `what` names what is waited for. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    await sleep(PAUSE_MS);
  }
  return assert.fail(`waited in vain for ${what}`);
}
