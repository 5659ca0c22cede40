import { setFlagsFromString } from "node:v8";

/** Percent of what is in use that the heap may grow by before it is collected again. */
const GROWTH = 40;

/**
 * Has the heap collected earlier: V8 would let it grow to several times what is in use, which other services on the machine could have.
 * The size of the young generation is set in `start.mjs`, as that is possible only before there is a heap.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
