import type { ReadinessFacts } from "./facts.ts";

export type CheckState = "problem" | "ok" | "unknown";

/** `found` describes the running service. `remedy` explains how to fix a problem. Neither contains secrets. */
export type CheckFinding = { state: CheckState; found: string };
export type ReadinessCheck = { title: string; why: string; remedy: string; find(facts: ReadinessFacts): CheckFinding };
export type CheckedItem = Omit<ReadinessCheck, "find"> & CheckFinding;

export const ok = (found: string): CheckFinding => ({ state: "ok", found });
export const problemFinding = (found: string): CheckFinding => ({ state: "problem", found });
export const unknownFinding = (found: string): CheckFinding => ({ state: "unknown", found });

const MAX_LISTED_NAMES = 10;

/** Reports a problem with these names, unless there are none. */
export function problemIfAny(names: readonly string[], otherwise: string): CheckFinding {
  if (names.length === 0) return ok(otherwise);
  const hiddenCount = names.length - MAX_LISTED_NAMES;
  return problemFinding(names.slice(0, MAX_LISTED_NAMES).join(", ") + (hiddenCount > 0 ? ` and ${hiddenCount} more` : ""));
}
