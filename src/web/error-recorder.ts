import type { FastifyRequest } from "fastify";

/** Records an uncaught error in the error log. Never throws and never fails the request; answers the entry's id. */
export type ErrorRecorder = {
  record(error: unknown, request: FastifyRequest | undefined): Promise<ErrorReference>;
};

/** What a person can quote; `id` is undefined while the entry waits in the spool file. */
export type ErrorReference = { id: number | undefined };
