import { resolveReference, resolveReferences } from "./characters.ts";
import { Fault } from "./fault.ts";

/** The characters that a run of text stands for, its line ends as LF. Throws `Fault` where it is not well-formed. */
export function decodeText(document: string, from: number, to: number): string {
  const raw = document.slice(from, to);
  const bracket = raw.indexOf("]]>");
  if (bracket !== -1) throw new Fault("malformed", from + bracket, "]]> in text");
  checkReferences(document, from, to);
  return resolveReferences(raw.replaceAll(/\r\n?/g, "\n"));
}

/** Throws `Fault` at the first reference between the two offsets that stands for no character. */
export function checkReferences(document: string, from: number, to: number): void {
  for (let at = document.indexOf("&", from); at !== -1 && at < to; at = document.indexOf("&", at + 1)) {
    const end = document.indexOf(";", at);
    if (end === -1 || end >= to) throw new Fault("malformed", at, "an & without its ;");
    if (resolveReference(document.slice(at + 1, end)) === undefined)
      throw new Fault("malformed", at, `unknown reference ${document.slice(at, Math.min(end + 1, at + 40))}`);
  }
}
