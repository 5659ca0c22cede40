import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";

export function warnOfOmission(context: DecisionContext, what: string): void {
  warnInPullResponse(context, `not included, because AlpineBits cannot express it: ${what}`);
}

/** Adds a warning to the response to a pull. If the response can't contain warnings, the warning is only logged. */
export function warnInPullResponse({ dialect, report }: DecisionContext, text: string): void {
  if (dialect.pullsHaveNoWarnings) report.advise(text);
  else report.warn(note(text));
}
