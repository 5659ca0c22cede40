import type { Outcome } from "./work.ts";

/** Every outcome that a message can have, and how well that is. */
export const OUTCOMES: Readonly<Record<Outcome, "good" | "warn" | "bad">> = {
  ok: "good",
  warnings: "warn",
  refused: "bad",
  malformed: "bad",
  unauthorised: "bad",
  failed: "bad",
};

export function isOutcome(text: string): text is Outcome {
  return Object.hasOwn(OUTCOMES, text);
}
