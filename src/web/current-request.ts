import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";

const current = new AsyncLocalStorage<FastifyRequest>();

/**
 * Remembers the request for everything that comes of it. The parser of a body goes on where bytes arrive, and forgets it. Messages of
 * senders are left out: remembering costs a short one a tenth of its time, and the channel catches what goes wrong with one.
 */
export function rememberRequest(app: FastifyInstance): void {
  for (const hook of ["onRequest", "preValidation"] as const)
    app.addHook(hook, (request: FastifyRequest, _reply: unknown, done: () => void) =>
      request.routeOptions.config.access === "sender" ? done() : current.run(request, done),
    );
}

/** The request that what runs now came of; undefined where that is none. */
export function currentRequest(): FastifyRequest | undefined {
  return current.getStore();
}
