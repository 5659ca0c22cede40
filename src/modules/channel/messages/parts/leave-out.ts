import type { Scene } from "../../message.ts";
import { note } from "../../ota-error.ts";

/** Says what an answer in AlpineBits has no place for. */
export function leaveOut(scene: Scene, what: string): void {
  warnOfPull(scene, `left out, as AlpineBits cannot tell it: ${what}`);
}

/** Says something with the answer to a pull. Up to 2020-10 those of AlpineBits have no place for warnings. */
export function warnOfPull({ dialect, report }: Scene, text: string): void {
  if (dialect.name === "alpinebits" && WITHOUT_WARNINGS.has(dialect.version)) report.advise(text);
  else report.warn(note(text));
}

const WITHOUT_WARNINGS: ReadonlySet<string> = new Set(["2018-10", "2020-10"]);
