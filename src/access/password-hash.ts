import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import type { Priority } from "../web/guard/attempts.ts";
import { AccessException } from "../web/http-error.ts";

/** From the OWASP Password Storage Cheat Sheet. Each check takes 32 MB and about 150 ms. */
const SCRYPT_COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MAX_MEMORY_BYTES = 64 * 2 ** 20;
const MAX_CONCURRENT_HASHES = 2;
const MAX_WAITING_HASHES = 50;

/** Thrown if too many passwords are waiting to be checked. */
export class BusyException extends AccessException {
  constructor() {
    super(429, "Many people are signing in. Try again in a second.", 1);
  }
}

/** Returns `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await runInTurn("known", () => deriveKey(password, salt, SCRYPT_COST));
  return ["scrypt", SCRYPT_COST.N, SCRYPT_COST.r, SCRYPT_COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/**
 * Checks a password against a hash. Without a hash, takes just as long and returns false, so that the timing doesn't reveal which users
 * exist. Throws `BusyException` under load.
 */
export async function verifyPassword(password: string, stored: string | undefined, priority: Priority): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = (stored ?? DUMMY_HASH).split("$");
  const expectedKey = Buffer.from(key, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derivedKey = await runInTurn(priority, () => deriveKey(password, Buffer.from(salt, "base64url"), cost));
  return timingSafeEqual(derivedKey, expectedKey) && stored !== undefined;
}

/** Derives a 256-bit key with a slow hash, because a fast hash of the password could be brute-forced. */
export async function stretchPassword(password: string, salt: string): Promise<string> {
  return (await deriveKey(password, Buffer.from(salt), SCRYPT_COST)).toString("base64url");
}

const DUMMY_HASH = ["scrypt", SCRYPT_COST.N, SCRYPT_COST.r, SCRYPT_COST.p, "", Buffer.alloc(KEY_BYTES).toString("base64url")].join("$");

let running = 0;
const waitingHashes: Record<Priority, (() => void)[]> = { known: [], unknown: [] };

/** Limits concurrent key derivations, because each one needs memory and a pool thread. Known clients have priority. */
async function runInTurn(priority: Priority, work: () => Promise<Buffer>): Promise<Buffer> {
  if (running >= MAX_CONCURRENT_HASHES) {
    if (waitingHashes[priority].length >= MAX_WAITING_HASHES) throw new BusyException();
    await new Promise<void>((resolve) => waitingHashes[priority].push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const resumeNext = waitingHashes.known.shift() ?? waitingHashes.unknown.shift();
    if (resumeNext) resumeNext();
    else running--;
  }
}

function deriveKey(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { ...cost, maxmem: MAX_MEMORY_BYTES };
  scrypt(password.normalize("NFC"), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}
