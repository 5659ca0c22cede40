import type { Scene } from "../../message.ts";
import { note } from "../../ota-error.ts";

/** Says what an answer in AlpineBits has no place for. Up to 2020-10 answers to pulls have no place for warnings either. */
export function leaveOut({ dialect, report }: Scene, what: string): void {
  const text = `left out, as AlpineBits cannot tell it: ${what}`;
  if (dialect.name === "alpinebits" && WITHOUT_WARNINGS.has(dialect.version)) report.advise(text);
  else report.warn(note(text));
}

const WITHOUT_WARNINGS: ReadonlySet<string> = new Set(["2018-10", "2020-10"]);
