import type { Facts } from "./facts.ts";

export type State = "problem" | "ok" | "unknown";

/** `found` describes the running service. `remedy` explains how to fix a problem. Neither contains secrets. */
export type Finding = { state: State; found: string };
export type Check = { title: string; why: string; remedy: string; find(facts: Facts): Finding };
export type CheckedItem = Omit<Check, "find"> & Finding;

export const ok = (found: string): Finding => ({ state: "ok", found });
export const problem = (found: string): Finding => ({ state: "problem", found });
export const unknown = (found: string): Finding => ({ state: "unknown", found });

const MAX_NAMES = 10;

/** Reports a problem with these names, unless there are none. */
export function problemIfAny(names: readonly string[], otherwise: string): Finding {
  if (names.length === 0) return ok(otherwise);
  const hiddenCount = names.length - MAX_NAMES;
  return problem(names.slice(0, MAX_NAMES).join(", ") + (hiddenCount > 0 ? ` and ${hiddenCount} more` : ""));
}
