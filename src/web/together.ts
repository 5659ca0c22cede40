import type { FastifyInstance } from "fastify";

/**
 * Sends the answers that are ready in one turn of the event loop right after each other. A client waits for its answer asleep: to wake it
 * for each one takes the thread longer than to write a page. Left out are those that have waited together already, messages for their commit
 * and kept pages for the version of the database: more waiting would cost them more than it saves.
 *
 * Register it after every hook that makes something of an answer. No answer may be a stream: nobody would hear of its errors meanwhile.
 */
export function sendTogether(app: FastifyInstance): void {
  app.addHook("onSend", (...[request, , payload, done]) => {
    const { access, kept } = request.routeOptions.config;
    if (access === "sender" || kept) done(null, payload);
    else setImmediate(done, null, payload);
  });
}
