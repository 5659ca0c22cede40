import type { MessageNote } from "../../../journal/work.ts";
import { withoutHint } from "../ota-error.ts";

const VALUE_PATTERN = /"[^"]*"|\b\d{4}-\d\d-\d\d\b|\d+/g;
/** Codes of errors whose text ends with a record's code, such as those for an inactive property or category. */
const CODES_ENDING_WITH_VALUE: ReadonlySet<number | undefined> = new Set([375, 731]);

/** Returns an error's text with `…` in place of values, so that errors with the same cause can be grouped. */
export function causeText({ code, text, unknown }: MessageNote): string {
  const textWithoutHint = withoutHint(text);
  const end = unknown ? textWithoutHint.lastIndexOf(unknown.code) : -1;
  if (end >= 0) return `${textWithoutHint.slice(0, end)}…${textWithoutHint.slice(end + unknown!.code.length)}`;
  if (CODES_ENDING_WITH_VALUE.has(code)) return textWithoutHint.replace(/: .*$/s, ": …");
  return textWithoutHint.replaceAll(VALUE_PATTERN, "…");
}
