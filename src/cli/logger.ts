import type { FastifyServerOptions } from "fastify";
import type { Config } from "../config.ts";

/** Request lines as JSON; readable ones where a person watches in development. */
export function loggerOptions({ values }: Config): FastifyServerOptions["logger"] {
  const level = values.LOG_LEVEL;
  const redact = ["req.headers.authorization", "req.headers.cookie"];
  const watched = values.NODE_ENV === "development" && process.stdout.isTTY;
  return watched ? { level, redact, transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } } : { level, redact };
}
