import { isBlank, nameEnd } from "./characters.ts";
import { XmlError } from "./xml-error.ts";

/** Markup that is neither element nor text. Each function answers the offset behind it, or throws `XmlError` when it is malformed. */

/** The XML declaration at the start of a document; 0 without one. */
export function endOfDeclaration(text: string): number {
  if (!text.startsWith("<?xml") || !isBlank(text.charCodeAt(5))) return 0;
  const end = text.indexOf("?>");
  const written = text.slice(0, end === -1 ? undefined : end + 2);
  if (!DECLARATION.test(written)) throw new XmlError("malformed", 0, "the XML declaration is not valid");
  return written.length;
}

const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;

/** The comment at `at`. */
export function endOfComment(text: string, at: number): number {
  const end = text.indexOf("--", at + 4);
  if (end === -1) throw new XmlError("malformed", at, "a comment is not closed");
  if (text[end + 2] !== ">") throw new XmlError("malformed", end, "a comment has -- in it");
  return end + 3;
}

/** The processing instruction at `at`. */
export function endOfInstruction(text: string, at: number): number {
  const from = at + 2;
  const to = nameEnd(text, from);
  if (to === from) throw new XmlError("malformed", at, "a processing instruction needs a name");
  if (text.slice(from, to).toLowerCase() === "xml") throw new XmlError("malformed", at, "an XML declaration may only stand at the start");
  const end = text.indexOf("?>", to);
  if (end === -1) throw new XmlError("malformed", at, "a processing instruction is not closed");
  if (end !== to && !isBlank(text.charCodeAt(to))) throw new XmlError("malformed", to, "a space is missing in a processing instruction");
  return end + 2;
}
