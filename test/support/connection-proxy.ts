import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server; `url` names the server as reached through it. */
export type ConnectionProxy = {
  url: string;
  /** From now on nothing is forwarded, in neither direction, and no connection ends: as with a network that drops everything. */
  silence(): void;
  /** New connections are forwarded again; those of before stay silent for ever. */
  speak(): void;
  close(): void;
};

/** Starts a proxy in front of the server that `url` names, on a free port of 127.0.0.1. */
export async function connectThrough(url: string): Promise<ConnectionProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((client) => {
    sockets.add(client.on("error", () => {}));
    if (silent) return;
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
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
