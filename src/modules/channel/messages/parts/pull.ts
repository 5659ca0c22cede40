import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";

export function warnOfOmission(context: DecisionContext, what: string): void {
  warnOfPull(context, `left out because AlpineBits cannot express it: ${what}`);
}

/** Warns in the answer to a pull. AlpineBits up to 2020-10 has no warnings there, so only the log shows them. */
export function warnOfPull({ dialect, report }: DecisionContext, text: string): void {
  if (dialect.name === "alpinebits" && WITHOUT_WARNINGS.has(dialect.version)) report.advise(text);
  else report.warn(note(text));
}

const WITHOUT_WARNINGS: ReadonlySet<string> = new Set(["2018-10", "2020-10"]);
