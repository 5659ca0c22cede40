import { setImmediate as nextTurn } from "node:timers/promises";

/** In bytes or characters; reading such a message takes milliseconds. */
export const LARGE = 100_000;

/** Until it ends, no later message is read. `end` may be called again. */
export type Turn = { end(): void };

/** The turn of a small message. */
export const NO_TURN: Turn = { end() {} };

/** Resolves when the newest large message is decided; undefined when all of them are. */
let last: Promise<void> | undefined;

/**
 * Waits until a message of that many bytes may be read. Large ones are read one after the other, so only one is held in pieces.
 * Later small ones wait for them, as messages are decided in the order they came. Nobody waits for a small one.
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

/** Runs large work piece by piece, each in its own turn of the event loop. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const { done, value } = work.next();
    if (done) return value;
  }
}
