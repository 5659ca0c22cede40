import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/** A bare `node:http` server that reads each request body and always sends the same response. Arguments: status, content type, file with the body. */
const [status = "200", type = "text/html", file = ""] = process.argv.slice(2);
const body = readFileSync(file);
const headers = { "content-type": type, "content-length": body.length };
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks);
    response.writeHead(Number(status), headers).end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`ready: http://127.0.0.1:${address.port}/`);
});
process.on("SIGTERM", () => process.exit(0));
