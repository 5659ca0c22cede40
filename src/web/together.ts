import type { FastifyInstance } from "fastify";

/**
 * Sends the answers that are ready in one turn of the event loop right after each other. A client waits for its answer asleep: to wake it
 * for each one takes the thread longer than to write a page. Messages of senders are answered after the commit that they share.
 *
 * Register it after every hook that makes something of an answer. No answer may be a stream: nobody would hear of its errors meanwhile.
 */
export function sendTogether(app: FastifyInstance): void {
  app.addHook("onSend", (...[request, , payload, done]) => {
    if (request.routeOptions.config.access === "sender") done(null, payload);
    else setImmediate(done, null, payload);
  });
}
