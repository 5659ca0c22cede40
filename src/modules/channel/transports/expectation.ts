import type { IncomingMessage, Server } from "node:http";
import { MAX_BODY_BYTES } from "../limits.ts";

/** How many bytes the body of a request has by its own account; 0 when it does not say. */
export function announcedBytes({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"]) || 0;
}

/** Whoever asks before sending a body (`Expect: 100-continue`) is told to go on, unless it would be too large anyway. */
export function answerExpectations(server: Server): void {
  server.on("checkContinue", (request, response) => {
    if (announcedBytes(request) <= MAX_BODY_BYTES) response.writeContinue();
    server.emit("request", request, response);
  });
}
