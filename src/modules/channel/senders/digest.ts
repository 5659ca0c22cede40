import { createHash, timingSafeEqual } from "node:crypto";

/** The values of a WS-Security UsernameToken with a Password of Type #PasswordDigest. */
export type PasswordDigest = { nonce: string | undefined; created: string | undefined };

/** WSS UsernameToken Profile 1.1: Base64(SHA-1(nonce + created + password)), with the nonce decoded from Base64. */
export function matchesDigest(secret: string, { digest, nonce, created }: { digest: string; nonce: string; created: string }): boolean {
  const expectedBytes = createHash("sha1").update(Buffer.from(nonce, "base64")).update(created).update(secret).digest();
  const sentBytes = Buffer.from(digest, "base64");
  return sentBytes.length === expectedBytes.length && timingSafeEqual(sentBytes, expectedBytes);
}

const UTC_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time of an XML `dateTime` in milliseconds; `undefined` if it is invalid or has no time zone. */
export function parseCreated(text: string): number | undefined {
  const time = UTC_TIME_PATTERN.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
