import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { Role } from "./user.ts";

const REPEAT_INTERVAL_MS = 3_600_000;
const MAX_REMEMBERED_SIGN_INS = 1_000;

type SignedIn = { name: string; role: "sender" | Role };
type SignInOrigin = { ip: string; log: Log; reqId?: string };

export type Log = Pick<FastifyBaseLogger, "info" | "warn">;

/** Logs who signed in and from where, at most once an hour per user and address, because every request carries credentials. */
export class SignInLog {
  readonly #clock: Clock;
  readonly #loggedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED_SIGN_INS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  succeeded({ name, role }: SignedIn, { log, ...source }: SignInOrigin): void {
    if (this.#isDue(`${source.ip} ${role} ${name}`)) log.info({ ...source, user: name, role }, "signed in");
  }

  /** Logs that a peer other than the proxy sent the user header, or that PROXY_USER_NETWORKS does not include the proxy. */
  untrustedUserHeader({ log, ...source }: SignInOrigin): void {
    if (this.#isDue(`${source.ip} untrusted`)) log.warn(source, "a peer outside PROXY_USER_NETWORKS sent a user name");
  }

  #isDue(key: string): boolean {
    const now = this.#clock.now();
    const loggedAt = this.#loggedAt.get(key);
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < REPEAT_INTERVAL_MS) return false;
    this.#loggedAt.set(key, now);
    return true;
  }
}
