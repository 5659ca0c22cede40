import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 50;
const TRIES = 3_600;

/** Polls until the result is neither undefined nor false, then returns it. `what` appears in the error if it never is. */
export async function until<T>(what: string | (() => string), poll: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await poll();
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>;
    await sleep(PAUSE_MS);
  }
  return assert.fail(`timed out waiting for ${typeof what === "string" ? what : what()}`);
}
