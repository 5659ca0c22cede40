import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Runs `hook` when a request comes in. The request goes on at once where it answers undefined: an async hook costs every request. */
export function onRequest(
  app: FastifyInstance,
  hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const waiting = hook(request, reply);
    return waiting === undefined ? done() : (waiting as never);
  });
}

/** Gives `hook` the payload of every answer; it answers the one to send, or a promise of it where it has to wait. */
export function onSend(app: FastifyInstance, hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown): void {
  app.addHook("onSend", (...[request, reply, payload, done]) => {
    const sent = hook(request, reply, payload);
    return sent instanceof Promise ? (sent as never) : done(null, sent);
  });
}
