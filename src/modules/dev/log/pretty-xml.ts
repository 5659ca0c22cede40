import { Source } from "../../channel/xml/source.ts";
import { tokenize } from "../../channel/xml/tokenizer.ts";

/** Larger documents are shown as they came. */
const LARGEST = 500_000;
const PIECE = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(?:"[^"]*"|'[^']*'|[^"'<>])*>|[^<]+/g;

/** Indents a document for people, without changing anything but white space between tags; what is no XML comes back as it is. */
export function prettyXml(text: string): string {
  if (text.length > LARGEST || !isWellFormed(text)) return text;
  const pieces = text.match(PIECE) ?? [];
  return layOut(pieces.filter((piece) => piece.trim() !== ""));
}

/** Checked first, in linear time: a pattern would search for the end of each of a million comments again. */
function isWellFormed(text: string): boolean {
  return tokenize(Source.ofText(text), { open() {}, close() {}, text() {} }) === undefined;
}

/** A line for each tag; an element that holds nothing but text stays on one line. */
function layOut(pieces: readonly string[]): string {
  const lines: string[] = [];
  let depth = 0;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!;
    if (isEnd(piece)) depth = Math.max(0, depth - 1);
    const whole = isStart(piece) ? leafOf(pieces, at) : undefined;
    lines.push("  ".repeat(Math.min(depth, 40)) + (whole?.text ?? piece.trim()));
    if (whole) at += whole.more;
    else if (isStart(piece)) depth++;
  }
  return lines.join("\n");
}

function leafOf(pieces: readonly string[], at: number): { text: string; more: number } | undefined {
  const [start, next = "", after = ""] = pieces.slice(at, at + 3);
  if (isEnd(next)) return { text: start + next, more: 1 };
  return !next.startsWith("<") && isEnd(after) ? { text: start + next.trim() + after, more: 2 } : undefined;
}

function isEnd(piece: string): boolean {
  return piece.startsWith("</");
}

function isStart(piece: string): boolean {
  return /^<[^/!?]/.test(piece) && !piece.endsWith("/>");
}
