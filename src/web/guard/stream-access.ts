import type { FastifyReply } from "fastify";

const CHECK_INTERVAL_MS = 3_000;

/** Returns a signal for a long response. It aborts when the connection closes, or when the user signs out or loses access. */
export function streamAccess(reply: FastifyReply): AbortSignal {
  const ended = new AbortController();
  const check = async () => {
    if (!(await reply.isStillSignedIn())) ended.abort();
  };
  // Ignores an unavailable database until the next check.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_INTERVAL_MS).unref();
  ended.signal.addEventListener("abort", () => clearInterval(timer));
  reply.raw.once("close", () => ended.abort());
  if (reply.raw.destroyed) ended.abort();
  return ended.signal;
}
