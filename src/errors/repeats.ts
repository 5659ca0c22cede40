import { TokenBuckets } from "../web/guard/token-bucket.ts";

/** Rates at which errors keep their context, per group and in total, because a client can cause errors of ever new groups. */
const OF_ONE_GROUP = { burst: 200, perSecond: 20 };
const OF_ALL = { burst: 2_000, perSecond: 200 };
const GROUPS = 10_000;

/** Tells errors that keep their context from repeats, of which only time and path are kept. */
export class Repeats {
  readonly #each = new TokenBuckets(OF_ONE_GROUP, GROUPS);
  readonly #all = new TokenBuckets(OF_ALL, 1);

  /** Whether an error of this group, recorded now, is one too many to keep its context. */
  isTooFast(group: number, now: number): boolean {
    return this.#each.take(String(group), 1, now) > 0 || this.#all.take("", 1, now) > 0;
  }
}
