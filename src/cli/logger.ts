import type { FastifyServerOptions } from "fastify";
import type { Config } from "../config.ts";
import { LineWriter } from "./line-writer.ts";

const STANDARD_OUTPUT = 1;

/** The process log as JSON lines on the standard output; readable ones where a person watches in development. */
export function loggerOptions({ values }: Config): FastifyServerOptions["logger"] {
  const level = values.LOG_LEVEL;
  // Node opens the stream when it is asked for first, and then a pipe no longer blocks.
  const isWatched = process.stdout.isTTY && values.NODE_ENV === "development";
  return isWatched
    ? { level, transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } }
    : { level, stream: new LineWriter(STANDARD_OUTPUT) };
}
