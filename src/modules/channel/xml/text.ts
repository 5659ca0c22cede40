import { resolveReference, resolveReferences } from "./characters.ts";
import { XmlError } from "./xml-error.ts";

/** Decodes a run of text, with its line ends as LF. Throws `XmlError` when it is malformed. */
export function decodeText(document: string, from: number, to: number): string {
  const raw = document.slice(from, to);
  const bracket = raw.indexOf("]]>");
  if (bracket !== -1) throw new XmlError("malformed", from + bracket, "]]> in text");
  checkReferences(document, from, to);
  return resolveReferences(raw.replaceAll(/\r\n?/g, "\n"));
}

/** Throws `XmlError` at the first invalid reference between the two offsets. */
export function checkReferences(document: string, from: number, to: number): void {
  for (let at = document.indexOf("&", from); at !== -1 && at < to; at = document.indexOf("&", at + 1)) {
    const end = document.indexOf(";", at);
    if (end === -1 || end >= to) throw new XmlError("malformed", at, "an & without its ;");
    if (resolveReference(document.slice(at + 1, end)) === undefined)
      throw new XmlError("malformed", at, `unknown reference ${document.slice(at, Math.min(end + 1, at + 40))}`);
  }
}
