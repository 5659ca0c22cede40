import { redacted } from "./redact.ts";
import type { SeenRequest } from "./request.ts";

/** The ids of our sessions in the header Cookie: 32 bytes in Base64url. */
const OWN_IDS = /(?:^|;)\s*(?:__Host-)?sid=([\w-]{43})(?=\s*(?:;|$))/g;

/** Part of an entry without the id of its request's session, which may also occur outside the cookie, where nothing marks it as secret. */
export function withoutSessionId<Part extends object>(entry: Part, seen: SeenRequest | undefined): Part {
  const cookies = seen?.request.raw.headers.cookie;
  if (cookies === undefined) return entry;
  const ids = Array.from(cookies.matchAll(OWN_IDS), ([, id]) => id!);
  if (ids.length === 0) return entry;
  const clean = ids.reduce((text, id) => text.replaceAll(id, redacted(id.length)), JSON.stringify(entry));
  return { ...entry, ...(JSON.parse(clean) as Part) };
}
