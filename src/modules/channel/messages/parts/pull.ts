import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";

export function warnOfOmission(context: DecisionContext, what: string): void {
  warnOfPull(context, `not included, because AlpineBits cannot express it: ${what}`);
}

/** Adds a warning to the answer to a pull, or only to the log if the answer can't contain warnings. */
export function warnOfPull({ dialect, report }: DecisionContext, text: string): void {
  if (dialect.pullsHaveNoWarnings) report.advise(text);
  else report.warn(note(text));
}
