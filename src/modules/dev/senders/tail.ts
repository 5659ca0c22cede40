import type { FastifyInstance } from "fastify";
import type { Database } from "../../../db/database.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { findSender } from "../../channel/senders/store.ts";
import type { MessageStreams } from "../log/message-streams.ts";

/** Streams a connection's new messages as server-sent events. */
export function registerTail(app: FastifyInstance, database: Database, streams: MessageStreams): void {
  app.get("/dev/senders/:name/tail", { config: { about: "streams a connection's new messages" } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!(await findSender(database, name))) throw new NotFoundException(`Connection '${name}' not found`);
    return streams.send(reply, { sender: name });
  });
}
