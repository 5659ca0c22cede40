import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../clock.ts";

const TOLD_AGAIN_MS = 3_600_000;
const REMEMBERED = 1_000;

type SignedIn = { name: string; role: "sender" | "viewer" | "admin" };
type Arrival = { ip: string; log: Log; reqId?: string };

/** The process log, as far as it is told of access. */
export type Log = Pick<FastifyBaseLogger, "info" | "warn">;

/** Tells the process log who signed in from where: once an hour, as every request brings its credential. */
export class SignInLog {
  readonly #clock: Clock;
  readonly #told = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  succeeded({ name, role }: SignedIn, { log, ...from }: Arrival): void {
    if (this.#isNew(`${from.ip} ${role} ${name}`)) log.info({ ...from, user: name, role }, "signed in");
  }

  /** Somebody who is not the proxy names a user, or PROXY_USER_NETWORKS does not name the proxy. */
  namedByStranger({ log, ...from }: Arrival): void {
    if (this.#isNew(`${from.ip} stranger`)) log.warn(from, "a peer outside PROXY_USER_NETWORKS names a user");
  }

  /** Not told within the last hour. */
  #isNew(key: string): boolean {
    const now = this.#clock.now();
    const told = this.#told.get(key);
    if (told !== undefined && Math.abs(now - told) < TOLD_AGAIN_MS) return false;
    this.#told.delete(key);
    this.#told.set(key, now);
    if (this.#told.size > REMEMBERED) this.#told.delete(this.#told.keys().next().value!);
    return true;
  }
}
