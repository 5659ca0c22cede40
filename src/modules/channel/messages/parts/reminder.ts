import { DAY_MS } from "../../../../calendar/night.ts";
import type { CompleteSet } from "../../../../journal/work.ts";
import type { DecisionContext } from "../../message.ts";
import { completeSetWanted } from "../../ota-error.ts";

/** How long deltas count as complete. */
const TRUSTED_MS = 2 * DAY_MS;

/** Asks the sender of an AlpineBits delta for a complete set of its kind when the hotel's last one is too old. */
export function remindOfCompleteSet({ dialect, completeSets, now, report }: DecisionContext, kind: CompleteSet): void {
  const last = completeSets[kind] ?? now;
  if (dialect.name === "alpinebits" && now - last > TRUSTED_MS) report.warn(completeSetWanted(kind));
}
