import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * Does large pieces of work, each in a turn of the event loop of its own. What is begun later waits until all that was begun
 * before is done, so that no more than one of them is held in memory half done.
 */
export function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  const done = last.then(() => run(work));
  last = done.catch(() => {});
  return done;
}

async function run<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const { done, value } = work.next();
    if (done) return value;
  }
}
