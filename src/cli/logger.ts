import type { FastifyServerOptions } from "fastify";
import { destination } from "pino";
import type { Config } from "../config.ts";

/** Lines are written together when there is this much, in bytes, or after this time: a write for each costs more than a page. */
const TOGETHER_BYTES = 16_000;
const WRITE_AFTER_MS = 500;
/** The reader of the lines may have stopped: lines beyond this are dropped, so that they do not fill the memory. */
const WAITING_BYTES = 4 * 1024 * 1024;

/** The process log as JSON lines on the standard output; readable ones where a person watches in development. */
export function loggerOptions({ values }: Config): FastifyServerOptions["logger"] {
  const level = values.LOG_LEVEL;
  const watched = values.NODE_ENV === "development" && process.stdout.isTTY;
  return watched
    ? { level, transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } }
    : { level, stream: standardOutput() };
}

/** Unwritten lines are written when the process ends. When writing fails, as on a full disk, the service goes on. */
function standardOutput() {
  const stream = destination({ dest: 1, sync: false, minLength: TOGETHER_BYTES, maxLength: WAITING_BYTES });
  let broken = false;
  stream.on("error", () => (broken = true));
  stream.on("write", () => (broken = false));
  const flushSync = stream.flushSync.bind(stream);
  // The stream's own function tries for ever where nothing can be written, and the process would never end.
  stream.flushSync = () => (broken ? undefined : flushSync());
  setInterval(() => stream.flush(), WRITE_AFTER_MS).unref();
  return stream;
}
