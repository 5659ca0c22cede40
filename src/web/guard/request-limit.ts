import { AccessException } from "../http-error.ts";
import { counted } from "../parts/amount.ts";
import { shareOfRate, TokenBuckets } from "./token-bucket.ts";
import type { User } from "./user.ts";

const MAX_TOKENS = 10_000;
const MINUTE_SECONDS = 60;

/** Limits the requests of each API token. The processes share the limit evenly. */
export class RequestLimit {
  readonly #buckets: TokenBuckets;

  constructor(perMinute: number, workers: number) {
    this.#buckets = new TokenBuckets(shareOfRate({ burst: perMinute, perSecond: perMinute / MINUTE_SECONDS }, workers), MAX_TOKENS);
  }

  /** Throws an `AccessException` with status 429 if a token sent too many requests. `now` is in milliseconds since 1970. */
  count({ name, kind }: User, now: number): void {
    if (kind !== "token") return;
    const wait = this.#buckets.take(name, 1, now);
    if (wait > 0) throw new AccessException(429, `This token sent too many requests. Try again in ${counted(wait, "second")}.`, wait);
  }
}
