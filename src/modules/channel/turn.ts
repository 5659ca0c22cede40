import { setImmediate as nextTurn } from "node:timers/promises";
import { Mutex } from "../../db/mutex.ts";

/** Bytes or characters; such a message takes some milliseconds to read. */
export const LARGE = 100_000;

/** While it lasts, no other large message is read. `end` may be called again. */
export type Turn = { end(): void };

/** Of what needs no turn. */
export const NO_TURN: Turn = { end() {} };

const mutex = new Mutex();

/** Waits until a message of that many bytes may be read: large ones one after the other, so that one alone is held in pieces. */
export async function takeTurn(bytes: number): Promise<Turn> {
  return bytes < LARGE ? NO_TURN : { end: await mutex.acquire() };
}

/** Does the pieces of a large piece of work, each in a turn of the event loop of its own. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const { done, value } = work.next();
    if (done) return value;
  }
}
