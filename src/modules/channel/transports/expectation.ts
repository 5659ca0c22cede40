import type { IncomingMessage, Server } from "node:http";
import { MAX_BODY_BYTES } from "../limits.ts";

/** How many bytes the body announces; 0 when it does not say. */
export function announcedBytes({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"]) || 0;
}

/** Tells clients that ask first (`Expect: 100-continue`) to go on, unless the body is too large. */
export function answerExpectations(server: Server): void {
  server.on("checkContinue", (request, response) => {
    if (announcedBytes(request) <= MAX_BODY_BYTES) response.writeContinue();
    server.emit("request", request, response);
  });
}
