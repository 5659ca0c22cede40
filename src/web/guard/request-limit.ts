import type { FastifyInstance } from "fastify";
import type { Clock } from "../../clock.ts";
import { onRequest } from "../hooks.ts";
import { AccessException } from "../http-error.ts";
import { formatCount } from "../parts/amount.ts";
import { shareOfRate, TokenBuckets } from "./token-bucket.ts";

const MAX_TRACKED_CLIENTS = 10_000;
const MINUTE_SECONDS = 60;

/** `perMinute` is the number of requests per API token, which the workers share evenly. */
type RequestLimit = { perMinute: number; workers: number; clock: Clock };

/** Responds with status 429 if too many requests use the same API token. Call after `addAccess`. */
export function addRequestLimit(app: FastifyInstance, { perMinute, workers, clock }: RequestLimit): void {
  const buckets = new TokenBuckets(shareOfRate({ burst: perMinute, perSecond: perMinute / MINUTE_SECONDS }, workers), MAX_TRACKED_CLIENTS);
  onRequest(app, ({ user }) => {
    const wait = user?.kind === "token" ? buckets.take(user.name, 1, clock.now()) : 0;
    if (wait > 0) throw new AccessException(429, `This token sent too many requests. Try again in ${formatCount(wait, "second")}.`, wait);
    return undefined;
  });
}
