import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { path: string; headers: Record<string, string>; body: string };

/** A server that receives webhooks and keeps them. By default it returns 204. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  respond: (response: ServerResponse, call: Received) => void = (response) => response.writeHead(204).end();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on("request", (request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        const call = { path: request.url ?? "", headers: request.headers as Record<string, string>, body };
        receiver.received.push(call);
        receiver.respond(response, call);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Returns the webhooks received since the last `take`. */
  take(): Received[] {
    return this.received.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
