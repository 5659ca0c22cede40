import type { FastifyRequest } from "fastify";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import type { ChannelDeps } from "./exchange.ts";

/** Records errors in the error log. Our own faults also go to the process log, which is all there is when the disk is full. */
export function failureRecorder(errors: ErrorRecorder, request: FastifyRequest): ChannelDeps["recordError"] {
  return (error, status) => {
    if (status >= 500) request.log.error({ reqId: request.id, err: error });
    return errors.record(error, request, status);
  };
}
