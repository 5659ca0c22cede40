import { isBlank, nameEnd, resolveReference, resolveReferences } from "./characters.ts";
import { XmlError } from "./handler.ts";
import type { XmlSource } from "./source.ts";

// Each of these functions throws `XmlError` if its input is malformed.

export function findDeclarationEnd(source: XmlSource): number {
  if (!source.startsWith("<?xml", 0) || !isBlank(source.codes[5]!)) return 0;
  const end = source.indexOf("?>", 0) + 2;
  if (!DECLARATION_PATTERN.test(source.slice(0, end))) throw new XmlError("malformed", 0, "invalid XML declaration");
  return end;
}

const DECLARATION_PATTERN =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;

export function findCommentEnd(source: XmlSource, at: number): number {
  const end = source.indexOf("--", at + 4);
  if (end === -1) throw new XmlError("malformed", at, "unclosed comment");
  if (!source.startsWith(">", end + 2)) throw new XmlError("malformed", end, "-- in a comment");
  return end + 3;
}

export function findInstructionEnd(source: XmlSource, at: number): number {
  const { codes } = source;
  const from = at + 2;
  const to = nameEnd(codes, from);
  if (to === from) throw new XmlError("malformed", at, "processing instruction without a name");
  if (source.slice(from, to).toLowerCase() === "xml")
    throw new XmlError("malformed", at, "XML declaration after the start of the document");
  const end = source.indexOf("?>", to);
  if (end === -1) throw new XmlError("malformed", at, "unclosed processing instruction");
  if (end !== to && !isBlank(codes[to]!)) throw new XmlError("malformed", to, "missing space after the name of a processing instruction");
  return end + 2;
}

export function decodeText(raw: string, from: number): string {
  const bracketIndex = raw.indexOf("]]>");
  if (bracketIndex !== -1) throw new XmlError("malformed", from + bracketIndex, "]]> in text");
  checkReferences(raw, from);
  return resolveReferences(raw.replaceAll(/\r\n?/g, "\n"));
}

/**
 * Checks the references in text or an attribute value that starts at offset `from`. `raw` contains only the text or value, because
 * searching the whole document each time would take quadratic time.
 */
export function checkReferences(raw: string, from: number): void {
  for (let at = raw.indexOf("&"); at !== -1; at = raw.indexOf("&", at + 1)) {
    const end = raw.indexOf(";", at);
    if (end === -1) throw new XmlError("malformed", from + at, "& without ;");
    if (resolveReference(raw.slice(at + 1, end)) === undefined)
      throw new XmlError("malformed", from + at, `unknown reference ${raw.slice(at, Math.min(end + 1, at + 40))}`);
  }
}
