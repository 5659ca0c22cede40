import { setFlagsFromString } from "node:v8";

/** How many percent the used heap may grow before the next collection. */
const GROWTH = 40;

/**
 * Collects the heap earlier: V8 would let it grow to several times what is in use, memory that other services could use.
 * `start.mjs` sets the size of the young generation, which is only possible before there is a heap.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  // V8 would notice that the lines of a large message outlive a small collection, and from then on make them where only a large one frees them.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
