import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Keeps serving for `ms` milliseconds, and closes each connection after its next response. Meanwhile, proxies notice that the service is no
 * longer ready and send new requests to other processes.
 */
export async function drainConnections(server: Server, ms: number): Promise<void> {
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  await sleep(ms);
}
