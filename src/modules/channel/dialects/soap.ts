import { escapeText } from "../../../xml/write.ts";

export type SoapEnvelope = {
  prefix: string;
  namespace: string;
  contentType: string;
  /** HTTP status for a fault caused by the sender (SOAP 1.1 over HTTP, 6.2; SOAP 1.2 part 2, 7.5.2.2). */
  faultStatus: number;
  /** Writes the fault for the body of the response (SOAP 1.1, 4.4; SOAP 1.2, 5.4). */
  writeFault(reason: string): string;
};

export const SOAP11_ENVELOPE: SoapEnvelope = {
  prefix: "soap",
  namespace: "http://schemas.xmlsoap.org/soap/envelope/",
  contentType: "text/xml; charset=utf-8",
  faultStatus: 500,
  writeFault: (reason) => `<soap:Fault><faultcode>soap:Client</faultcode><faultstring>${reason}</faultstring></soap:Fault>`,
};

export const SOAP12_ENVELOPE: SoapEnvelope = {
  prefix: "env",
  namespace: "http://www.w3.org/2003/05/soap-envelope",
  contentType: "application/soap+xml; charset=utf-8",
  faultStatus: 400,
  writeFault: (reason) =>
    `<env:Fault><env:Code><env:Value>env:Sender</env:Value></env:Code><env:Reason><env:Text xml:lang="en">${reason}</env:Text></env:Reason></env:Fault>`,
};

/**
 * Whether a namespace identifies this envelope. Ignores a final slash: only the SOAP 1.1 namespace has one, but some senders get this
 * wrong.
 */
export function hasNamespace(envelope: SoapEnvelope, namespace: string): boolean {
  return withoutSlash(envelope.namespace) === withoutSlash(namespace);
}

function withoutSlash(namespace: string): string {
  return namespace.endsWith("/") ? namespace.slice(0, -1) : namespace;
}

export function wrapInEnvelope(document: string, { prefix, namespace }: SoapEnvelope): string {
  return `<${prefix}:Envelope xmlns:${prefix}="${namespace}"><${prefix}:Header/><${prefix}:Body>${document}</${prefix}:Body></${prefix}:Envelope>`;
}

export function writeFault(text: string, envelope: SoapEnvelope): string {
  return wrapInEnvelope(envelope.writeFault(escapeText(text)), envelope);
}
