import type { FastifyReply } from "fastify";
import { STATUS_CODES } from "./node-http.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether errors are always problem details (RFC 9457), regardless of `Accept`. */
    problems?: boolean;
  }
}

/** `detail` explains this occurrence. Other members are extensions. */
export type ProblemDetails = { status: number; detail: string | undefined } & Readonly<Record<string, unknown>>;

export function sendProblem(reply: FastifyReply, { status, detail, ...extensions }: ProblemDetails): FastifyReply {
  const problem = { type: "about:blank", title: STATUS_CODES[status], status, detail, ...extensions };
  return reply
    .code(status)
    .type("application/problem+json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(`${JSON.stringify(problem, undefined, 2)}\n`);
}
