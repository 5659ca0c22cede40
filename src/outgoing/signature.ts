import { createHmac, randomBytes } from "node:crypto";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 24;

export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** `at` is in milliseconds since 1970. */
type SignedPayload = { id: string; at: number; body: string };

/** Returns the Standard Webhooks headers, with one signature per secret. */
export function webhookHeaders({ id, at, body }: SignedPayload, secrets: readonly string[]): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const sign = (secret: string) => createHmac("sha256", secretKey(secret)).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret)}`).join(" "),
  };
}

/** Secrets with the prefix `whsec_` are base64. Other secrets are used as they are. */
function secretKey(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64") : Buffer.from(secret);
}
