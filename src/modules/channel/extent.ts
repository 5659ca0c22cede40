import type { Operation } from "../../calendar/operation.ts";
import { MAX_AMOUNTS, MAX_CELLS } from "./limits.ts";
import { type Fault, tooMuch } from "./ota-error.ts";

/**
 * What is wrong about the extent of what a message sets: a message of a few megabytes can name so many nights and values
 * that everyone else would wait for it.
 */
export function extentFault(operations: readonly Operation[]): Fault | undefined {
  let cells = 0;
  for (const operation of operations) {
    if (operation.type !== "assign") continue;
    const { first, last, values } = operation;
    if (values.length > MAX_AMOUNTS) return tooMuch(`sets more than ${MAX_AMOUNTS} amounts of one night`);
    cells += (last - first + 1) * Math.max(1, values.length);
  }
  return cells > MAX_CELLS ? tooMuch(`sets more than ${MAX_CELLS} values of nights`) : undefined;
}
