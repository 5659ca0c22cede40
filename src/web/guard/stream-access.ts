import type { FastifyReply } from "fastify";

const CHECK_EVERY_MS = 3_000;

/** For a response that takes long: aborts when the connection closes, or when the user has signed out or lost access. */
export function streamAccess(reply: FastifyReply): AbortSignal {
  const ended = new AbortController();
  const check = async () => {
    if (!(await reply.isStillSignedIn())) ended.abort();
  };
  // If the database is unavailable, the next check decides.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS).unref();
  ended.signal.addEventListener("abort", () => clearInterval(timer));
  reply.raw.once("close", () => ended.abort());
  if (reply.raw.destroyed) ended.abort();
  return ended.signal;
}
