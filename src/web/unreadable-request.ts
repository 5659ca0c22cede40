import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { STATUS_CODES } from "./node-http.ts";
import { amount } from "./parts/amount.ts";

/** Why a request could not be read; `reason` has the words of the parser. */
type Unreadable = Error & { code?: string; reason?: string };

/** What a client most likely did, by the code of the parser. */
const HINTS: Record<string, string> = {
  HPE_INVALID_URL: "; a target is ASCII, with all else percent-encoded",
  HPE_INVALID_CONSTANT: "; a target has no blank but %20",
};

/** A connection; Node keeps there the answer that it is sending, or waits for (`assignSocket`), which its types do not tell. */
type Connection = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Answers what is no request, or not a whole one, behind what came whole before it on the same connection: no hook, route or error log ever
 * sees it. `headBytes` is how large the head of one may be. Programs that send such are being written, so they are told what is wrong with
 * it, and the process log at level `debug`.
 */
export function refuseUnreadable(headBytes: number) {
  const refused = new WeakSet<Socket>();
  return function refuse(this: FastifyInstance, error: Unreadable, socket: Connection): void {
    if (error.code === "ECONNRESET") return void socket.destroy();
    if (refused.has(socket)) return;
    refused.add(socket);
    whenAnswered(socket, () => tell(this.log, error, socket));
  };

  function tell(log: FastifyBaseLogger, error: Unreadable, socket: Socket): void {
    if (!socket.writable) return void socket.destroy();
    const [status, message] = describe(error, headBytes);
    log.debug({ status, message, ip: socket.remoteAddress }, "no request");
    socket.write(answer(status, message));
    socket.destroySoon();
  }
}

/** Calls back when the requests that came whole are answered, one after the other. To keep their answers for it would cost each request. */
function whenAnswered(socket: Connection, then: () => void): void {
  const { _httpMessage: before } = socket;
  if (before?.req.complete && !before.closed) before.once("close", () => whenAnswered(socket, then));
  else then();
}

function describe({ code = "", reason, message }: Unreadable, headBytes: number): [status: number, message: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request was not whole in time"];
  if (code === "HPE_HEADER_OVERFLOW") return [431, `The head of the request is larger than the ${amount(headBytes)} bytes allowed`];
  return [400, `This is no HTTP/1.1 request: ${reason ?? message}${HINTS[code] ?? ""}`];
}

function answer(status: number, message: string): string {
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
