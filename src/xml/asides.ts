import { isBlank, nameEnd } from "./characters.ts";
import type { Source } from "./source.ts";
import { XmlError } from "./xml-error.ts";

/** Markup that is neither element nor text. Each function answers the offset behind it, or throws `XmlError` when it is malformed. */

/** The XML declaration at the start of a document; 0 without one. */
export function endOfDeclaration(source: Source): number {
  if (!source.startsWith("<?xml", 0) || !isBlank(source.codes[5]!)) return 0;
  const end = source.indexOf("?>", 0) + 2;
  if (!DECLARATION.test(source.slice(0, end))) throw new XmlError("malformed", 0, "the XML declaration is not valid");
  return end;
}

const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;

/** The comment at `at`. */
export function endOfComment(source: Source, at: number): number {
  const end = source.indexOf("--", at + 4);
  if (end === -1) throw new XmlError("malformed", at, "a comment is not closed");
  if (!source.startsWith(">", end + 2)) throw new XmlError("malformed", end, "a comment has -- in it");
  return end + 3;
}

/** The processing instruction at `at`. */
export function endOfInstruction(source: Source, at: number): number {
  const { codes } = source;
  const from = at + 2;
  const to = nameEnd(codes, from);
  if (to === from) throw new XmlError("malformed", at, "a processing instruction needs a name");
  if (source.slice(from, to).toLowerCase() === "xml") throw new XmlError("malformed", at, "an XML declaration may only stand at the start");
  const end = source.indexOf("?>", to);
  if (end === -1) throw new XmlError("malformed", at, "a processing instruction is not closed");
  if (end !== to && !isBlank(codes[to]!)) throw new XmlError("malformed", to, "a space is missing in a processing instruction");
  return end + 2;
}
