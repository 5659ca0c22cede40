import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Like an async hook, but adds no overhead to requests for which `hook` returns undefined. */
export function onRequest(
  app: FastifyInstance,
  hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const hookPromise = hook(request, reply);
    return hookPromise === undefined ? done() : (hookPromise as never);
  });
}

/** Like an async hook, but adds no overhead to requests for which `hook` returns undefined. */
export function preHandler(
  app: FastifyInstance,
  hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined,
): void {
  app.addHook("preHandler", (request, reply, done) => {
    const hookPromise = hook(request, reply);
    return hookPromise === undefined ? done() : (hookPromise as never);
  });
}

export function onSend(app: FastifyInstance, hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown): void {
  app.addHook("onSend", (...[request, reply, payload, done]) => {
    const newPayload = hook(request, reply, payload);
    return newPayload instanceof Promise ? (newPayload as never) : done(null, newPayload);
  });
}
