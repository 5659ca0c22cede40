import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a client and a server. `url` is the server's URL through the proxy. */
export type ConnectionProxy = {
  url: string;
  /** Stops forwarding without closing connections, like a network that drops all packets. */
  silence(): void;
  /** Forwards new connections again. Existing connections stay silent. */
  speak(): void;
  unanswered(): number;
  /** Delays all data until the returned function is called. */
  hold(): () => void;
  /** Closes all connections and refuses new ones with a PgBouncer error. */
  loseServer(): void;
  close(): void;
};

/** An ErrorResponse: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const POOLER_LOST = errorResponse({ S: "FATAL", C: "08P01", M: "server login has been failing, try again later (server_login_retry)" });

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([name, value]) => `${name}${value}\0`)
      .join("")}\0`,
  );
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export async function connectThrough(url: string): Promise<ConnectionProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  let unanswered = 0;
  let lost = false;
  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client.on("error", () => {}));
    if (silent) return void unanswered++;
    if (lost) return void client.once("data", () => client.end(POOLER_LOST));
    const upstream = connect(Number(target.port), target.hostname).on("error", () => {});
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    silence() {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    speak() {
      silent = false;
      lost = false;
    },
    unanswered: () => unanswered,
    hold() {
      for (const socket of sockets) socket.cork();
      return () => {
        for (const socket of sockets) socket.uncork();
      };
    },
    loseServer() {
      lost = true;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
