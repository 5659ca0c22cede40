import type { Kind } from "./attributes.ts";

/** Whose nights they are; `lane` is empty, or the physical room or the rate plan. */
export type LaneKey = { kind: Kind; category: string; lane: string };

/** The lane as one text, to look it up by. */
export function laneName({ kind, category, lane }: LaneKey): string {
  return `${kind}\n${category}\n${lane}`;
}
