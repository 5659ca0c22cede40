import { setFlagsFromString } from "node:v8";

/** Lets the heap grow by only 40% between collections. `start.mjs` limits the young generation, because that must be set at startup. */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=40");
  // Without this flag, V8 would allocate similar objects in the old generation after a large message.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
