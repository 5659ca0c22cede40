import type { FastifyRequest } from "fastify";
import type { ErrorRecorder } from "../../web/error-recorder.ts";
import type { ChannelDeps } from "./exchange.ts";

/** Records in the error log, and tells the process log of what is no fault of the sender: where the disk is full, it is all there is. */
export function failureRecorder(errors: ErrorRecorder, request: FastifyRequest): ChannelDeps["recordError"] {
  return (error, status) => {
    if (status >= 500) request.log.error({ reqId: request.id, err: error });
    return errors.record(error, request, status);
  };
}
