import { wrapInEnvelope } from "./document/envelope.ts";
import type { Example, ExampleCodes, Transport } from "./example.ts";

/** A request to post to `/channel`; header names are in lower case. */
export type ExampleRequest = { headers: Readonly<Record<string, string>>; body: Uint8Array };

/** The transport of a document; `action` and `version` are for AlpineBits. */
export type Sending = { transport: Transport; action?: string | undefined; version?: string | undefined };

/** Makes the request of an example. */
export function requestOfExample(example: Example, codes: ExampleCodes): ExampleRequest {
  return requestOf(example.xml(codes), { transport: "raw", ...example });
}

/** Packs a document as a sender would. */
export function requestOf(xml: string, { transport, action, version }: Sending): ExampleRequest {
  if (transport === "alpinebits") return formRequest(xml, { action, version });
  if (transport === "raw") return { headers: { "content-type": "application/xml" }, body: Buffer.from(xml) };
  const document = wrapInEnvelope(xml.replace(/^\s*<\?xml[^>]*\?>\s*/, ""), transport);
  const headers: Record<string, string> = transport === "soap11" ? SOAP11 : SOAP12;
  return { headers, body: Buffer.from(document) };
}

const SOAP11 = { "content-type": "text/xml; charset=utf-8", soapaction: '""' };
const SOAP12 = { "content-type": "application/soap+xml; charset=utf-8" };
const BOUNDARY = "roomrack-form-boundary";

function formRequest(xml: string, { action, version }: Omit<Sending, "transport">): ExampleRequest {
  const part = (name: string, value: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${action === undefined ? "" : part("action", action)}${part("request", xml)}--${BOUNDARY}--\r\n`;
  const headers: Record<string, string> = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  if (version !== undefined) headers["x-alpinebits-clientprotocolversion"] = version;
  return { headers, body: Buffer.from(body) };
}
