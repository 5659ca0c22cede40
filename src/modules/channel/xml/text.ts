import { resolveReference, resolveReferences } from "./characters.ts";
import { Fault } from "./fault.ts";

/** Decodes a run of text, with its line ends as LF. Throws `Fault` when it is malformed. */
export function decodeText(document: string, from: number, to: number): string {
  const raw = document.slice(from, to);
  const bracket = raw.indexOf("]]>");
  if (bracket !== -1) throw new Fault("malformed", from + bracket, "]]> in text");
  checkReferences(document, from, to);
  return resolveReferences(raw.replaceAll(/\r\n?/g, "\n"));
}

/** Throws `Fault` at the first invalid reference between the two offsets. */
export function checkReferences(document: string, from: number, to: number): void {
  for (let at = document.indexOf("&", from); at !== -1 && at < to; at = document.indexOf("&", at + 1)) {
    const end = document.indexOf(";", at);
    if (end === -1 || end >= to) throw new Fault("malformed", at, "an & without its ;");
    if (resolveReference(document.slice(at + 1, end)) === undefined)
      throw new Fault("malformed", at, `unknown reference ${document.slice(at, Math.min(end + 1, at + 40))}`);
  }
}
