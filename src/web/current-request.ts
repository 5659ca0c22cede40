import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";

const requestStorage = new AsyncLocalStorage<FastifyRequest>();

/**
 * Makes a request available to `currentRequest`. The second hook is needed because body parsers continue in the socket's context. Skips
 * channel messages, because the channel catches its own errors and this would make a short message take 10% longer.
 */
export function rememberRequest(app: FastifyInstance): void {
  for (const hook of ["onRequest", "preValidation"] as const)
    app.addHook(hook, (request: FastifyRequest, _reply: unknown, done: () => void) =>
      request.routeOptions.config.access === "sender" ? done() : requestStorage.run(request, done),
    );
}

export function currentRequest(): FastifyRequest | undefined {
  return requestStorage.getStore();
}
