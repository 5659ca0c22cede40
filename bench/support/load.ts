import { inOwnProcess } from "./own-process.ts";

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
export type Headers = Readonly<Record<string, string>>;
export type Request = { method: "GET" | "POST"; path: string; headers?: Headers | undefined; body?: string };

/** Requests a second, and milliseconds within which half and 99 % of them were answered. */
export type Measured = { perSecond: number; p50: number; p99: number };

/** Runs the load from a second process. Throws when any answer is not the expected one: a fast error is a failure. */
export async function measure(load: Load): Promise<Measured> {
  const result = await inOwnProcess<Measured | { failed: string }>(new URL("load-process.ts", import.meta.url), load);
  if ("failed" in result) throw new Error(`${load.url}${load.requests[0]!.path}: ${result.failed}`);
  return result;
}
