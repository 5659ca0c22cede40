import { resolveReference, resolveReferences } from "./characters.ts";
import { XmlError } from "./xml-error.ts";

/** Decodes a run of text that starts at the offset `from`, with its line ends as LF. Throws `XmlError` when it is malformed. */
export function decodeText(raw: string, from: number): string {
  const bracket = raw.indexOf("]]>");
  if (bracket !== -1) throw new XmlError("malformed", from + bracket, "]]> in text");
  checkReferences(raw, from);
  return resolveReferences(raw.replaceAll(/\r\n?/g, "\n"));
}

/**
 * Throws `XmlError` at the first invalid reference in a run of text or a value that starts at the offset `from`. It is given the run alone:
 * a search in the whole document would go to its end for each of thousands of runs.
 */
export function checkReferences(raw: string, from: number): void {
  for (let at = raw.indexOf("&"); at !== -1; at = raw.indexOf("&", at + 1)) {
    const end = raw.indexOf(";", at);
    if (end === -1) throw new XmlError("malformed", from + at, "an & without its ;");
    if (resolveReference(raw.slice(at + 1, end)) === undefined)
      throw new XmlError("malformed", from + at, `unknown reference ${raw.slice(at, Math.min(end + 1, at + 40))}`);
  }
}
