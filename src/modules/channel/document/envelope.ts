import { escapeText } from "../../../xml/write.ts";

/** The namespaces of SOAP 1.1 and 1.2 envelopes. */
const SOAP_NAMESPACES = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
} as const;

/** The envelope around a message, if any. */
export type Envelope = "none" | "soap11" | "soap12";

/** The envelope of a namespace. Only that of SOAP 1.1 ends with a slash; senders mix this up. */
export function envelopeOf(namespace: string): "soap11" | "soap12" | undefined {
  return ENVELOPES.get(withoutSlash(namespace));
}

const ENVELOPES: ReadonlyMap<string, "soap11" | "soap12"> = new Map([
  [withoutSlash(SOAP_NAMESPACES.soap11), "soap11"],
  [withoutSlash(SOAP_NAMESPACES.soap12), "soap12"],
]);

function withoutSlash(namespace: string): string {
  return namespace.endsWith("/") ? namespace.slice(0, -1) : namespace;
}

/** Puts an answer into an envelope with an empty header. */
export function wrapInEnvelope(document: string, envelope: "soap11" | "soap12"): string {
  const prefix = envelope === "soap11" ? "soap" : "env";
  const namespace = SOAP_NAMESPACES[envelope];
  return `<${prefix}:Envelope xmlns:${prefix}="${namespace}"><${prefix}:Header/><${prefix}:Body>${document}</${prefix}:Body></${prefix}:Envelope>`;
}

/** The fault of a sender whose envelope cannot be read (SOAP 1.1, 4.4; SOAP 1.2, 5.4). */
export function writeFault(text: string, envelope: "soap11" | "soap12"): string {
  const reason = escapeText(text);
  const fault =
    envelope === "soap11"
      ? `<soap:Fault><faultcode>soap:Client</faultcode><faultstring>${reason}</faultstring></soap:Fault>`
      : `<env:Fault><env:Code><env:Value>env:Sender</env:Value></env:Code><env:Reason><env:Text xml:lang="en">${reason}</env:Text></env:Reason></env:Fault>`;
  return wrapInEnvelope(fault, envelope);
}
