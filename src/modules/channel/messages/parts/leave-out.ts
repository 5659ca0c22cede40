import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";

/** Warns of what AlpineBits cannot tell. */
export function leaveOut(context: DecisionContext, what: string): void {
  warnOfPull(context, `left out, as AlpineBits cannot tell it: ${what}`);
}

/** Warns in the answer to a pull. In AlpineBits up to 2020-10 these have no warnings, so only the log tells. */
export function warnOfPull({ dialect, report }: DecisionContext, text: string): void {
  if (dialect.name === "alpinebits" && WITHOUT_WARNINGS.has(dialect.version)) report.advise(text);
  else report.warn(note(text));
}

const WITHOUT_WARNINGS: ReadonlySet<string> = new Set(["2018-10", "2020-10"]);
