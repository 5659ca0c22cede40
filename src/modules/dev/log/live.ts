import type { FastifyInstance } from "fastify";
import { sendFaults } from "../../../web/json.ts";
import { readQuery } from "../../../web/negotiate.ts";
import type { MessageStreams } from "./message-streams.ts";
import { readLogQuery } from "./query.ts";

/** Streams new messages that match the log's filters as server-sent events. */
export function registerLive(app: FastifyInstance, streams: MessageStreams): void {
  app.get("/dev/tail", { config: { about: "new messages, as they arrive" } }, (request, reply) => {
    const { filters, faults } = readLogQuery(readQuery(request));
    return Object.keys(faults).length > 0 ? sendFaults(reply, faults) : streams.send(reply, { ...filters, before: undefined });
  });
}
