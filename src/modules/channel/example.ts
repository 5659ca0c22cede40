import type { AlpineBitsVersion } from "./dialects/alpinebits.ts";
import { SOAP11_ENVELOPE, SOAP12_ENVELOPE, wrapInEnvelope } from "./dialects/soap.ts";
import type { StoredProfile } from "./profiles/knobs.ts";

export type ExampleCodes = {
  hotel: string;
  category: string;
  plan: string;
  currency: string;
  day(days: number): string;
};

export type Transport = "raw" | "json" | "soap11" | "soap12" | "alpinebits";

/** A message for the console, also used in tests and documentation. */
export type Example = {
  name: string;
  description: string;
  transport?: Transport;
  action?: string;
  version?: AlpineBitsVersion;
  /** The sender's profile. Default: the standard one. */
  profile?: StoredProfile;
  /** Expected stored values in the conformance command's syntax, such as `count 3`. */
  stored?: string;
  /** Default: success without warnings. */
  expect?: ExampleOutcome;
  xml(codes: ExampleCodes): string;
};

/**
 * The expected outcome, assuming that the plan exists and each category has 50 rooms for up to 4 guests. `refused` is the first error's
 * code.
 */
type ExampleOutcome = "warnings" | { refused: number };

export type ExampleRequest = { headers: Readonly<Record<string, string>>; body: Uint8Array };

export type SendOptions = { transport: Transport; action?: string | undefined; version?: string | undefined };

export function exampleRequest(example: Example, codes: ExampleCodes): ExampleRequest {
  return wrapRequest(example.xml(codes), { transport: "raw", ...example });
}

export function wrapRequest(xml: string, { transport, action, version }: SendOptions): ExampleRequest {
  if (transport === "alpinebits") return formRequest(xml, { action, version });
  if (transport === "json") return { headers: { "content-type": "application/json" }, body: Buffer.from(xml) };
  if (transport === "raw") return { headers: { "content-type": "application/xml" }, body: Buffer.from(xml) };
  const envelope = transport === "soap11" ? SOAP11_ENVELOPE : SOAP12_ENVELOPE;
  const headers = { "content-type": envelope.contentType, ...(transport === "soap11" && { soapaction: '""' }) };
  return { headers, body: Buffer.from(wrapInEnvelope(xml.replace(/^\s*<\?xml[^>]*\?>\s*/, ""), envelope)) };
}

const FORM_BOUNDARY = "roomrack-form-boundary";

function formRequest(xml: string, { action, version }: Omit<SendOptions, "transport">): ExampleRequest {
  const part = (name: string, value: string) => `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${action === undefined ? "" : part("action", action)}${part("request", xml)}--${FORM_BOUNDARY}--\r\n`;
  const headers: Record<string, string> = { "content-type": `multipart/form-data; boundary=${FORM_BOUNDARY}` };
  if (version !== undefined) headers["x-alpinebits-clientprotocolversion"] = version;
  return { headers, body: Buffer.from(body) };
}
