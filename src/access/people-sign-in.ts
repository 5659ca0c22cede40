import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { PersonSignIn } from "../web/guard/sign-in.ts";
import type { User } from "../web/guard/user.ts";
import { verifyPassword } from "./password-hash.ts";
import { findPerson, hasPeople, type Person, recordSeen } from "./people.ts";
import { findTokenUser } from "./tokens.ts";

const CACHE_LIFETIME_MS = 300_000;
const MAX_CACHED_SIGN_INS = 1_000;
const LAST_SEEN_INTERVAL_MS = 60_000;

/** Caches correct passwords for a few minutes, because API clients send theirs with each request. `secret` is the key for hashing them. */
export function peopleSignIn(database: Database, clock: Clock, secret: () => string): PersonSignIn {
  const verifiedPasswords = new LRUCache<string, true>({ max: MAX_CACHED_SIGN_INS, ttl: CACHE_LIFETIME_MS });
  return {
    async byPassword(name, password, priority) {
      const person = await findPerson(database, name);
      // If there are no users, there are no names to discover, so the response time reveals nothing.
      if (person === undefined && !(await hasPeople(database))) return undefined;
      const storedHash = person?.disabledAt === undefined ? person?.password : undefined;
      const key = createHmac("sha256", secret())
        .update([name, storedHash ?? "", password].join("\0"))
        .digest("base64url");
      if (!verifiedPasswords.has(key) && !(await verifyPassword(password, storedHash, priority))) return undefined;
      verifiedPasswords.set(key, true);
      await updateLastSeen(database, person!, clock.now());
      return { name: person!.name, role: person!.role, kind: "person", passwordAt: person!.passwordAt } satisfies User;
    },
    byToken: (hash) => findTokenUser(database, hash, clock.now()),
  };
}

/** Updates the last-seen time at most once a minute, and ignores errors so that users can sign in while the database is read-only. */
async function updateLastSeen(database: Database, { name, seenAt = 0 }: Person, now: number): Promise<void> {
  if (Math.abs(now - seenAt) >= LAST_SEEN_INTERVAL_MS) await recordSeen(database, name, now).catch(() => {});
}
