import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";

export function warnOfOmission(context: DecisionContext, what: string): void {
  warnOfPull(context, `left out because AlpineBits cannot express it: ${what}`);
}

/** Warns in the answer to a pull. If it has no place for warnings, only the log shows them. */
export function warnOfPull({ dialect, report }: DecisionContext, text: string): void {
  if (dialect.pullsHaveNoWarnings) report.advise(text);
  else report.warn(note(text));
}
