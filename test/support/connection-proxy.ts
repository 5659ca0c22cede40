import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server; `url` names the server as reached through it. */
export type ConnectionProxy = {
  url: string;
  /** From now on nothing is forwarded, in neither direction, and no connection ends: as with a network that drops everything. */
  silence(): void;
  /** New connections are forwarded again; those of before stay silent for ever. */
  speak(): void;
  /** How many connections were tried while nothing was forwarded. */
  unanswered(): number;
  /** Holds back what clients and server send; what it answers lets it go. */
  hold(): () => void;
  /** Ends every connection, and lets new ones know why they cannot be made, in the words of PgBouncer. */
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

/** Starts a proxy in front of the server that `url` names, on a free port of 127.0.0.1. */
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
