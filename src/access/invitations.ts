import { randomBytes } from "node:crypto";
import { hashSecret } from "./secrets.ts";

const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000;
const SECRET_BYTES = 32;

/** Creates an invitation. `secret` is part of the link; only its hash is stored. */
export function newInvitation(now: number): { secret: string; invitation: string; invited_until: number } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, invitation: hashSecret(secret), invited_until: now + INVITATION_LIFETIME_MS };
}

/** `base` is the service's URL without a trailing slash. Browsers don't send the part after `#`, so no log contains the secret. */
export function invitationLink(base: string, secret: string): string {
  return `${base}/tools/invitation#${secret}`;
}
