import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Only there to say what did not happen. No machine on which the tests run is so slow. */
const LIMIT_MS = 180_000;
const PAUSE_MS = 50;

/** Asks again and again until there is an answer other than `false`, and returns it. `what` names what is waited for. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  for (const limit = AbortSignal.timeout(LIMIT_MS); ; await sleep(PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    assert.ok(!limit.aborted, `${what}: not within ${LIMIT_MS / 1000} seconds`);
  }
}
