import { type Html, html, nothing, type Path } from "../../../web/html.ts";
import { amount } from "../../../web/parts/amount.ts";
import { decodeXml } from "../../../xml/decode.ts";
import { Source } from "../../../xml/source.ts";
import { tokenize } from "../../../xml/tokenizer.ts";
import { recognise } from "../../channel/transports/recognise.ts";

/**
 * A stored body as text. `raw` is all of it, `document` only the XML if it came in a form. `exact` is false if the body is not valid in its
 * declared encoding; then each byte becomes one character.
 */
export type BodyText = { raw: string; document: string; exact: boolean };

export function bodyText(body: Uint8Array, contentType: string): BodyText {
  const recognised = recognise(body, contentType);
  const raw = textOf(body, contentType);
  if (recognised.kind !== "form") return { raw: raw.text, document: raw.text, exact: raw.exact };
  const { content = new Uint8Array(), type = "" } = recognised.request ?? {};
  const document = textOf(content, type);
  return { raw: raw.text, document: document.text, exact: document.exact };
}

function textOf(bytes: Uint8Array, contentType: string): { text: string; exact: boolean } {
  const decoded = decodeXml(bytes, contentType);
  return "source" in decoded
    ? { text: String(decoded.source), exact: true }
    : { text: Buffer.from(bytes).toString("latin1"), exact: false };
}

const OTHER_ENCODING = /^(\s*<\?xml[^>]*?)(?<!\s)\s+encoding\s*=\s*(?!["']utf-8["'])(?:"[^"]*"|'[^']*')/i;

/** Removes a declared encoding other than UTF-8 from a document that will be sent as UTF-8. */
export function dropEncoding(document: string): string {
  return document.slice(0, 200).replace(OTHER_ENCODING, "$1") + document.slice(200);
}

export const MAX_SHOWN = 100_000;

export function shownBody(label: string, document: string, raw: Path | undefined): Html {
  if (document.trim() === "") return html`<p>Empty</p>`;
  const text = prettyXml(document);
  return html`<pre tabindex="0" aria-label="${label}"><code>${text.slice(0, MAX_SHOWN)}</code></pre>
    ${text.length > MAX_SHOWN ? html`<p class="hint">First ${amount(MAX_SHOWN)} characters</p>` : nothing}
    ${raw === undefined ? nothing : html`<p><a href="${raw}">Raw ${label.toLowerCase()}</a></p>`}`;
}

const MAX_LENGTH = 500_000;
const TOKEN = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(?:"[^"]*"|'[^']*'|[^"'<>])*>|[^<]+/g;

export function prettyXml(text: string): string {
  if (text.length > MAX_LENGTH || !isWellFormed(text)) return text;
  const tokens = text.match(TOKEN) ?? [];
  return indent(tokens.filter((token) => token.trim() !== ""));
}

/** Checked before matching `TOKEN`, which could take more than linear time on malformed text. */
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
