import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that stops now and then, so that others can do theirs, and what comes of it. */
export type Pieces<T> = Generator<unknown, T, undefined>;

/** So many lines take about a millisecond. */
export const PIECE = 200;

/** Does something to each item; a piece is 200 of them, or as many as count for 200. */
export function* eachInPieces<T>(items: readonly T[], work: (item: T) => void, countsFor: (item: T) => number = () => 1): Pieces<void> {
  let done = 0;
  // By index: an iterator that lives across turns makes an object for each item.
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    work(item);
    done += countsFor(item);
    if (done < PIECE) continue;
    yield;
    done = 0;
  }
}

/** The same for items that are made one by one. */
export function* eachMadeInPieces<T>(items: Iterable<T>, work: (item: T) => void): Pieces<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    if (++done % PIECE === 0) yield;
  }
}

/** Work that is one piece, and done. */
// oxlint-disable-next-line require-yield -- there is nothing between its start and its end
export function* inOnePiece<T>(result: T): Pieces<T> {
  return result;
}

/** Does the work piece by piece, each in a turn of the event loop of its own. */
export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  await nextTurn();
  return finish(work);
}

/** The same, but the first piece at once, and all the rest once `isUrgent`. */
export async function finish<T>(work: Pieces<T>, isUrgent: () => boolean = () => false): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (!isUrgent()) await nextTurn();
  }
}

/** Does all of the work in this turn. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
