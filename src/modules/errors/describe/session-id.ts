import type { NewErrorEntry } from "../entry.ts";
import { redacted } from "./redact.ts";
import type { SeenRequest } from "./request.ts";

/** The ids of our sessions in the header Cookie: 32 bytes in Base64url. */
const OWN_IDS = /(?:^|;)\s*(?:__Host-)?sid=([\w-]{43})(?=\s*(?:;|$))/g;

/** The entry without the id of its request's session, which may stand elsewhere than in the cookie, where nothing tells what it is. */
export function withoutSessionId(entry: NewErrorEntry, seen: SeenRequest | undefined): NewErrorEntry {
  const cookies = seen?.request.raw.headers.cookie;
  if (cookies === undefined) return entry;
  const ids = Array.from(cookies.matchAll(OWN_IDS), ([, id]) => id!);
  if (ids.length === 0) return entry;
  const clean = ids.reduce((text, id) => text.replaceAll(id, redacted(id.length)), JSON.stringify(entry));
  return { ...entry, ...(JSON.parse(clean) as NewErrorEntry) };
}
