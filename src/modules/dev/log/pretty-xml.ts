import { XmlSource } from "../../../xml/source.ts";
import { tokenizeXml } from "../../../xml/tokenizer.ts";

/** A line to show, and the offset of its first character in the document. */
export type XmlLine = { text: string; start: number };

const MAX_DOCUMENT_LENGTH = 500_000;
const TOKEN_PATTERN = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(?:"[^"]*"|'[^']*'|[^"'<>])*>|[^<]+/g;

/** Returns well-formed XML as indented lines with one element each. Other text keeps its line breaks. */
export function prettyLines(text: string): XmlLine[] {
  if (text.length > MAX_DOCUMENT_LENGTH || !isWellFormed(text)) return ownLines(text);
  const tokens = [...text.matchAll(TOKEN_PATTERN)].map(({ 0: token, index }) => ({ text: token, start: index }));
  return indentTokens(tokens.filter((token) => token.text.trim() !== ""));
}

/** Like `prettyLines`, but returns a single string. */
export function prettyXml(text: string): string {
  return prettyLines(text)
    .map((line) => line.text)
    .join("\n");
}

function ownLines(text: string): XmlLine[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const prettyLine = { text: line, start };
    start += line.length + 1;
    return prettyLine;
  });
}

/**
 * Returns whether the text is well-formed. Check this before matching `TOKEN_PATTERN`, which could take more than linear time on malformed text.
 */
function isWellFormed(text: string): boolean {
  return tokenizeXml(XmlSource.ofText(text), { open() {}, close() {}, text() {} }) === undefined;
}

function indentTokens(tokens: readonly XmlLine[]): XmlLine[] {
  const lines: XmlLine[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { text, start } = tokens[at]!;
    if (isEndTag(text)) depth = Math.max(0, depth - 1);
    const leafElement = isStartTag(text) ? leafAt(tokens, at) : undefined;
    lines.push({ text: "  ".repeat(Math.min(depth, 40)) + (leafElement?.text ?? text.trim()), start });
    if (leafElement) at += leafElement.extraTokens;
    else if (isStartTag(text)) depth++;
  }
  return lines;
}

function leafAt(tokens: readonly XmlLine[], at: number): { text: string; extraTokens: number } | undefined {
  const [start = "", next = "", after = ""] = tokens.slice(at, at + 3).map(({ text }) => text);
  if (isEndTag(next)) return { text: start + next, extraTokens: 1 };
  return !next.startsWith("<") && isEndTag(after) ? { text: start + next.trim() + after, extraTokens: 2 } : undefined;
}

function isEndTag(token: string): boolean {
  return token.startsWith("</");
}

function isStartTag(token: string): boolean {
  return /^<[^/!?]/.test(token) && !token.endsWith("/>");
}
