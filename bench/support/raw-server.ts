import { createServer } from "node:http";

/** What is answered to every request. */
export type RawAnswer = { status: number; type: string; body: Buffer };

/** Raw node:http on a free port that reads each body, does the work, if any, and answers the same bytes; says its address when it is ready. */
export function serveRaw({ status, type, body }: RawAnswer, work?: () => Promise<unknown>): void {
  const headers = { "content-type": type, "content-length": body.length };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const answer = () => response.writeHead(status, headers).end(body);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      Buffer.concat(chunks);
      if (work) void work().then(answer);
      else answer();
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) console.log(`ready: http://127.0.0.1:${address.port}/`);
  });
  process.on("SIGTERM", () => process.exit(0));
}
