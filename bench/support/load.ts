import { inOwnProcess } from "./own-process.ts";

/** Requests to repeat for `seconds`. Each connection cycles through all of them. */
export type Load = {
  url: string;
  requests: readonly Request[];
  connections: number;
  seconds: number;
  status: number;
  contains: string;
};
export type Headers = Readonly<Record<string, string>>;
export type Request = { method: "GET" | "POST"; path: string; headers?: Headers | undefined; body?: string };

export type Measured = { perSecond: number; p50: number; p99: number };

/** Sends the load from another process. Throws if a response is unexpected, because errors must not count as throughput. */
export async function measure(load: Load): Promise<Measured> {
  const result = await inOwnProcess<Measured | { failed: string }>(new URL("load-process.ts", import.meta.url), load);
  if ("failed" in result) throw new Error(`${load.url}${load.requests[0]!.path}: ${result.failed}`);
  return result;
}
