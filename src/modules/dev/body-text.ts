import { recognise } from "../channel/transports/recognise.ts";
import { decodeXml } from "../channel/xml/decode.ts";

/** A stored body as people read it: the whole body as text, and the document in it, which a form wraps. */
export type BodyText = { raw: string; document: string };

/** Reads the body of a message; `contentType` as it was sent. */
export function bodyText(body: Uint8Array, contentType: string): BodyText {
  const recognised = recognise(body, contentType);
  const raw = textOf(recognised.kind === "xml" ? recognised.bytes : body);
  return { raw, document: recognised.kind === "form" ? textOf(recognised.request?.content ?? new Uint8Array()) : raw };
}

/** Bytes that are no text in the encoding that they declare are shown byte by byte. */
function textOf(bytes: Uint8Array): string {
  const decoded = decodeXml(bytes);
  return "text" in decoded ? decoded.text : Buffer.from(bytes).toString("latin1");
}
