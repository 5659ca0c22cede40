import { findSecrets } from "../../../secrets/find.ts";
import { MASKED_TEXT, maskSecrets } from "../../../secrets/mask.ts";
import { findCredentials, findWebTokens } from "../../../secrets/values.ts";
import { API_KEY_HEADERS } from "../senders/header-credentials.ts";

/** Headers whose entire value is secret. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(API_KEY_HEADERS);

const KEPT_HEADERS = [
  "content-type",
  "content-encoding",
  "user-agent",
  "soapaction",
  "x-alpinebits-clientprotocolversion",
  "x-alpinebits-clientid",
  "authorization",
  ...API_KEY_HEADERS,
] as const;

const MAX_HEADER_LENGTH = 500;
const MASK_OPTIONS = { find: [findSecrets, findCredentials, findWebTokens], replace: () => MASKED_TEXT };

/** Returns the headers that are useful in the message log. Secrets are masked; of credentials, only the scheme is kept. */
export function selectHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const headersToKeep: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) headersToKeep[name] = maskByName(name, value);
  }
  return headersToKeep;
}

function maskByName(name: string, value: string): string {
  if (SECRET_HEADERS.has(name)) return MASKED_TEXT;
  return name === "authorization" ? maskAuthorization(value) : maskHeader(value);
}

function maskHeader(value: string): string {
  return maskSecrets(value.slice(0, MAX_HEADER_LENGTH), MASK_OPTIONS);
}

/** Masks the credentials. Some senders send the secret without a scheme. */
function maskAuthorization(value: string): string {
  const scheme = /^(?:basic|bearer|digest|negotiate|ntlm|token|wsse)(?=\s|$)/i.exec(value);
  return scheme ? `${scheme[0]} ${MASKED_TEXT}` : MASKED_TEXT;
}
