import type { FastifyRequest } from "fastify";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import { failureRecorder } from "./endpoint.ts";
import type { IncomingRequest, OutgoingResponse } from "./exchange.ts";
import { handleMessage } from "./handle.ts";
import { messages } from "./messages/index.ts";
import type { ChannelDeps } from "./traffic.ts";

/** Handles a message that is sent from a page, such as the console. Never rejects. */
export type HandleMessage = (incoming: IncomingRequest, request: FastifyRequest) => Promise<OutgoingResponse>;

export function makeHandle({
  errors,
  ...deps
}: Pick<ChannelDeps, "database" | "clock" | "traffic"> & { errors: ErrorRecorder }): HandleMessage {
  return (incoming, request) => handleMessage({ ...deps, messages, recordError: failureRecorder(errors, request) }, incoming);
}
