import type { FastifyBaseLogger } from "fastify";
import { currentRequest } from "../web/current-request.ts";
import type { ErrorLog } from "./recorder.ts";

/** Records uncaught exceptions, which still end the process, and unhandled rejections, with the request that caused them. */
export function watchProcess(errors: ErrorLog): void {
  process.on("uncaughtExceptionMonitor", (error) => errors.recordFatal(error, currentRequest()));
  process.on("unhandledRejection", (reason) => void errors.record(reason, currentRequest()));
}

/** Node prints uncaught exceptions itself. */
export function logUnhandledRejections(log: FastifyBaseLogger): void {
  process.on("unhandledRejection", (err) => log.error({ reqId: currentRequest()?.id, err }, "unhandled promise rejection"));
}
