import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What to ask of a server, again and again. With more than one request, each connection goes through them in turn. */
export type Load = {
  url: string;
  requests: readonly Request[];
  connections: number;
  seconds: number;
  /** Every answer has this status. */
  status: number;
  /** Every answer contains this text, unless it is empty. */
  contains: string;
};
export type Request = { method: "GET" | "POST"; path: string; headers?: Readonly<Record<string, string>>; body?: string };

/** Requests a second, and milliseconds within which half and 99 % of them were answered. */
export type Measured = { perSecond: number; p50: number; p99: number };

/** Runs the load from a second process. Throws when any answer is not the expected one: a fast error is a failure. */
export async function measure(load: Load): Promise<Measured> {
  const child = fork(fileURLToPath(new URL("load-process.ts", import.meta.url)));
  const answered = Promise.withResolvers<Measured | { failed: string }>();
  child.once("message", (message) => answered.resolve(message as Measured));
  child.once("exit", (code) => answered.reject(new Error(`the load process ended with ${code}`)));
  child.send(load);
  const result = await answered.promise;
  child.kill();
  if ("failed" in result) throw new Error(`${load.url}${load.requests[0]!.path}: ${result.failed}`);
  return result;
}
