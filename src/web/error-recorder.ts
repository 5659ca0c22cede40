import type { FastifyRequest } from "fastify";

/** Records an uncaught error in the error log. Never throws and never fails the request; answers the entry's id. */
export type ErrorRecorder = {
  /** `status` is what the client is answered, where the error itself does not say it. */
  record(error: unknown, request: FastifyRequest | undefined, status?: number): Promise<ErrorReference>;
};

/** What a person can quote; `id` is undefined while the entry waits in the spool file, and below status 500, where it is not waited for. */
export type ErrorReference = { id: number | undefined };
