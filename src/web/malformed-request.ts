import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { STATUS_CODES } from "./node-http.ts";
import { formatNumber } from "./parts/amount.ts";

type ParseError = Error & { code?: string; reason?: string };

const HINTS_BY_CODE: Record<string, string> = {
  HPE_INVALID_URL: "; percent-encode non-ASCII characters in the request target",
  HPE_INVALID_CONSTANT: "; write a space in the request target as %20",
};

/** Node stores the current response here (see `assignSocket`), but its types don't declare the field. */
type HttpConnection = Socket & { _httpMessage?: ServerResponse | null };

/** Handles malformed and incomplete requests, which never reach a hook, a route or the error log. Earlier requests get their responses first. */
export function rejectMalformed(maxHeaderBytes: number) {
  const rejectedSockets = new WeakSet<Socket>();
  return function reject(this: FastifyInstance, error: ParseError, socket: HttpConnection): void {
    if (error.code === "ECONNRESET") return void socket.destroy();
    if (rejectedSockets.has(socket)) return;
    rejectedSockets.add(socket);
    afterResponse(socket, () => respondToParseError(this.log, error, socket));
  };

  function respondToParseError(log: FastifyBaseLogger, error: ParseError, socket: Socket): void {
    if (!socket.writable) return void socket.destroy();
    const [status, message] = describeParseError(error, maxHeaderBytes);
    log.debug({ status, message, ip: socket.remoteAddress }, "malformed request");
    socket.write(responseText(status, message));
    socket.destroySoon();
  }
}

function afterResponse(socket: HttpConnection, then: () => void): void {
  const { _httpMessage: pending } = socket;
  if (pending?.req.complete && !pending.closed) pending.once("close", () => afterResponse(socket, then));
  else then();
}

function describeParseError({ code = "", reason, message }: ParseError, maxHeaderBytes: number): [status: number, message: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request timed out before it was complete"];
  if (code === "HPE_HEADER_OVERFLOW")
    return [431, `The request line and headers exceed the limit of ${formatNumber(maxHeaderBytes)} bytes`];
  return [400, `Not a valid HTTP/1.1 request: ${reason ?? message}${HINTS_BY_CODE[code] ?? ""}`];
}

function responseText(status: number, message: string): string {
  const body = `${JSON.stringify({ error: { status, message } })}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
