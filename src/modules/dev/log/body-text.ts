import { recognise } from "../../channel/transports/recognise.ts";
import { decodeXml } from "../../channel/xml/decode.ts";

/**
 * A stored body as people read it: the whole body as text, and the document in it, which a form wraps. Not `exact`: the bytes are no
 * text in the encoding that they declare, and shown byte by byte.
 */
export type BodyText = { raw: string; document: string; exact: boolean };

/** Reads the body of a message; `contentType` as it was sent. */
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

/** A document that is sent as UTF-8 from here on: it declares no other encoding. */
export function inUtf8(document: string): string {
  return document.slice(0, 200).replace(OTHER_ENCODING, "$1") + document.slice(200);
}
