import { Source } from "../../../xml/source.ts";
import { tokenize } from "../../../xml/tokenizer.ts";

const MAX_LENGTH = 500_000;
const TOKEN = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(?:"[^"]*"|'[^']*'|[^"'<>])*>|[^<]+/g;

/** Indents XML by changing whitespace between tags only. Returns other text unchanged. */
export function prettyXml(text: string): string {
  if (text.length > MAX_LENGTH || !isWellFormed(text)) return text;
  const tokens = text.match(TOKEN) ?? [];
  return indent(tokens.filter((token) => token.trim() !== ""));
}

/** Runs in linear time. On malformed text, matching `TOKEN` would not. */
function isWellFormed(text: string): boolean {
  return tokenize(Source.ofText(text), { open() {}, close() {}, text() {} }) === undefined;
}

function indent(tokens: readonly string[]): string {
  const lines: string[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (isEndTag(token)) depth = Math.max(0, depth - 1);
    const leaf = isStartTag(token) ? leafAt(tokens, at) : undefined;
    lines.push("  ".repeat(Math.min(depth, 40)) + (leaf?.text ?? token.trim()));
    if (leaf) at += leaf.extraTokens;
    else if (isStartTag(token)) depth++;
  }
  return lines.join("\n");
}

function leafAt(tokens: readonly string[], at: number): { text: string; extraTokens: number } | undefined {
  const [start, next = "", after = ""] = tokens.slice(at, at + 3);
  if (isEndTag(next)) return { text: start + next, extraTokens: 1 };
  return !next.startsWith("<") && isEndTag(after) ? { text: start + next.trim() + after, extraTokens: 2 } : undefined;
}

function isEndTag(token: string): boolean {
  return token.startsWith("</");
}

function isStartTag(token: string): boolean {
  return /^<[^/!?]/.test(token) && !token.endsWith("/>");
}
