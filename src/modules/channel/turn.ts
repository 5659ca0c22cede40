import { setImmediate as nextTurn } from "node:timers/promises";

/** Bytes or characters; such a message takes some milliseconds to read. */
export const LARGE = 100_000;

/** While it lasts, no message that came later is read. `end` may be called again. */
export type Turn = { end(): void };

/** Of what nobody has to wait for. */
export const NO_TURN: Turn = { end() {} };

/** Resolves when the last of the large messages that have come is decided; undefined when all are. */
let last: Promise<void> | undefined;

/**
 * Waits until a message of that many bytes may be read. Large ones are read one after the other, so that one alone is held in pieces.
 * Small ones that come later wait for them, as messages are decided in the order in which they came; for small ones nobody waits.
 */
export async function takeTurn(bytes: number): Promise<Turn> {
  const before = last;
  if (bytes < LARGE) {
    if (before) await before;
    return NO_TURN;
  }
  const { promise, resolve: end } = Promise.withResolvers<void>();
  last = promise;
  void promise.then(() => {
    if (last === promise) last = undefined;
  });
  await before;
  return { end };
}

/** Does the pieces of a large piece of work, each in a turn of the event loop of its own. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const { done, value } = work.next();
    if (done) return value;
  }
}
