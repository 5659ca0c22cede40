import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap grow by 40 % between collections instead of several times its size. `start.mjs` limits the young generation, which is only
 * possible before the heap exists.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=40");
  // Otherwise one large message makes V8 allocate similar objects in the old generation from then on.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
