import { type Html, html, emptyHtml, type Path } from "../../../web/html.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { decodeXml } from "../../../xml/decode.ts";
import { recogniseBody } from "../../channel/transports/recognise.ts";
import { type LineMark, markedLines } from "./marked-lines.ts";
import { prettyLines } from "./pretty-xml.ts";

/**
 * A stored body as text. `raw` is the whole body; `document` is only the XML if the message was sent as a form. `exact` is false if the
 * body is not valid in its declared encoding; then each byte becomes one character.
 */
export type BodyText = { raw: string; document: string; exact: boolean };

export function bodyText(body: Uint8Array, contentType: string): BodyText {
  const recognisedBody = recogniseBody(body, contentType);
  const raw = decodeBytes(body, contentType);
  if (recognisedBody.kind !== "form") return { raw: raw.text, document: raw.text, exact: raw.exact };
  const { content = new Uint8Array(), type = "" } = recognisedBody.request ?? {};
  const document = decodeBytes(content, type);
  return { raw: raw.text, document: document.text, exact: document.exact };
}

function decodeBytes(bytes: Uint8Array, contentType: string): { text: string; exact: boolean } {
  const decodedXml = decodeXml(bytes, contentType);
  return "source" in decodedXml
    ? { text: String(decodedXml.source), exact: true }
    : { text: Buffer.from(bytes).toString("latin1"), exact: false };
}

const ENCODING_PATTERN = /^(\s*<\?xml[^>]*?)(?<!\s)\s+encoding\s*=\s*(?!["']utf-8["'])(?:"[^"]*"|'[^']*')/i;

/** Removes a declared encoding other than UTF-8 from a document that will be sent as UTF-8. */
export function dropEncoding(document: string): string {
  return document.slice(0, 200).replace(ENCODING_PATTERN, "$1") + document.slice(200);
}

export const MAX_SHOWN_CHARACTERS = 100_000;

type ShownBody = { label: string; document: string; raw: Path | undefined; marks?: readonly LineMark[] };

/** Shows a document, with each mark below its line. */
export function shownBody({ label, document, raw, marks = [] }: ShownBody): Html {
  if (document.trim() === "") return html`<p>Empty</p>`;
  const lines = prettyLines(document);
  const { content, isComplete } = markedLines(lines, { document, marks, max: MAX_SHOWN_CHARACTERS });
  return html`<pre tabindex="0" aria-label="${label}"><code>${content}</code></pre>
    ${isComplete ? emptyHtml : html`<p class="hint">First ${formatNumber(MAX_SHOWN_CHARACTERS)} characters</p>`}
    ${raw === undefined ? emptyHtml : html`<p><a href="${raw}">Raw ${label.toLowerCase()}</a></p>`}`;
}
