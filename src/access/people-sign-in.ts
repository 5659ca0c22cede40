import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Database } from "../db/database.ts";
import type { People } from "../web/guard/sign-in.ts";
import type { User } from "../web/guard/user.ts";
import { AccessException } from "../web/http-error.ts";
import { BusyError, verifyPassword } from "./password-hash.ts";
import { findPerson, hasPeople } from "./people.ts";

const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 1_000;

/** Remembers for some minutes which passwords were right, because programs send theirs with each request. `secret` keys what is remembered. */
export function peopleSignIn(database: Database, secret: string): People {
  const verified = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return {
    async byPassword(name, password) {
      const person = await findPerson(database, name);
      // Without users there are no names to find out, so a wrong password need not take as long as a right one.
      if (person === undefined && !(await hasPeople(database))) return undefined;
      const stored = person?.disabledAt === undefined ? person?.password : undefined;
      const key = createHmac("sha256", secret)
        .update([name, stored ?? "", password].join("\0"))
        .digest("base64url");
      if (!verified.has(key) && !(await verify(password, stored))) return undefined;
      verified.set(key, true);
      return { name: person!.name, role: person!.role, kind: "person" } satisfies User;
    },
    byToken: async () => undefined,
  };
}

async function verify(password: string, stored: string | undefined): Promise<boolean> {
  try {
    return await verifyPassword(password, stored);
  } catch (error) {
    if (error instanceof BusyError) throw new AccessException(429, "Many people are signing in. Try again in a second.", 1);
    throw error;
  }
}
