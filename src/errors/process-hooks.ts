import type { FastifyBaseLogger } from "fastify";
import { currentRequest } from "../web/current-request.ts";
import type { ErrorLog } from "./recorder.ts";

/**
 * Records what no request catches: an exception that ends the process is in the spool before it ends, and in the log after the next
 * start; a rejected promise that nobody handles is recorded, and the process lives on. Both with the request that they came of. Answers
 * a function that takes the hooks off.
 */
export function watchProcess(errors: ErrorLog): () => void {
  const fatal = (error: unknown) => errors.recordFatal(error, currentRequest());
  const unhandled = (reason: unknown) => void errors.record(reason, currentRequest());
  process.on("uncaughtExceptionMonitor", fatal);
  process.on("unhandledRejection", unhandled);
  return () => {
    process.off("uncaughtExceptionMonitor", fatal);
    process.off("unhandledRejection", unhandled);
  };
}

/** Tells of rejected promises that nobody handles. An exception that ends the process is told by Node. */
export function tellOfUnhandled(log: FastifyBaseLogger): void {
  process.on("unhandledRejection", (err) => log.error({ reqId: currentRequest()?.id, err }, "nobody handled a rejection"));
}
