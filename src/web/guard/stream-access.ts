import type { FastifyReply } from "fastify";

const CHECK_INTERVAL_MS = 3_000;

/** Returns a signal for a long response. It aborts when the connection closes, or when the user signs out or loses access. */
export function streamAccess(reply: FastifyReply): AbortSignal {
  const abortController = new AbortController();
  const check = async () => {
    if (!(await reply.isStillSignedIn())) abortController.abort();
  };
  // If the database is unavailable, the next check decides.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_INTERVAL_MS).unref();
  abortController.signal.addEventListener("abort", () => clearInterval(timer));
  reply.raw.once("close", () => abortController.abort());
  if (reply.raw.destroyed) abortController.abort();
  return abortController.signal;
}
