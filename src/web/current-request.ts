import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";

const current = new AsyncLocalStorage<FastifyRequest>();

/**
 * Needs the second hook because body parsers continue in the socket's context. Channel messages are left out: it would cost a short one a tenth
 * of its time, and the channel catches its own errors.
 */
export function rememberRequest(app: FastifyInstance): void {
  for (const hook of ["onRequest", "preValidation"] as const)
    app.addHook(hook, (request: FastifyRequest, _reply: unknown, done: () => void) =>
      request.routeOptions.config.access === "sender" ? done() : current.run(request, done),
    );
}

export function currentRequest(): FastifyRequest | undefined {
  return current.getStore();
}
