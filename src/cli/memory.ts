import { setFlagsFromString } from "node:v8";

/** Percent of what is in use that the heap may grow by before it is collected again. */
const GROWTH = 40;

/**
 * Has the heap collected earlier. V8 lets it grow to several times of what is in use, which a service that lives next to others
 * has no use for. That the young generation stays small, `start.mjs` says: it can be said only before there is a heap.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
