import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Between clients and one connection to a server, which each client has for a transaction; of what is prepared on it, it knows nothing. */
export type TransactionPooler = { url: string; close(): void };

const HEAD_BYTES = 5;
const [AUTHENTICATION, READY, TERMINATE] = ["R", "Z", "X"];
const IDLE = "I";

/** Starts one in front of the server that `url` names, on a free port of 127.0.0.1. The first client signs in for all. */
export async function poolTransactions(url: string): Promise<TransactionPooler> {
  const target = new URL(url);
  const upstream = connect(Number(target.port), target.hostname).on("error", () => {});
  const waiting: { client: Socket; sent: Buffer }[] = [];
  let owner: Socket | undefined;
  let greeting = Buffer.alloc(0);
  let isSignedIn = false;
  const next = () => {
    const turn = waiting.shift();
    owner = turn?.client;
    if (turn) upstream.write(turn.sent);
  };
  const take = (client: Socket, sent: Buffer) => {
    if (owner !== undefined && owner !== client) return void waiting.push({ client, sent });
    owner = client;
    upstream.write(sent);
  };
  readMessages(upstream, (type, message) => {
    owner?.write(message);
    if (!isSignedIn && (type !== AUTHENTICATION || message.readInt32BE(HEAD_BYTES) === 0)) greeting = Buffer.concat([greeting, message]);
    if (type !== READY || message.toString("latin1", HEAD_BYTES) !== IDLE) return;
    isSignedIn = true;
    next();
  });
  const server = createServer((client) => {
    const welcome = isSignedIn;
    client.on("error", () => {});
    client.once("data", (startup) => (welcome ? client.write(greeting) : take(client, startup as Buffer)));
    client.once("data", () =>
      client.on("data", (sent: Buffer) => (sent.toString("latin1", 0, 1) === TERMINATE ? client.end() : take(client, sent))),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    close() {
      server.close();
      upstream.destroy();
    },
  };
}

/** Calls `take` with each message of the server, its type and all of its bytes. */
function readMessages(upstream: Socket, take: (type: string, message: Buffer) => void): void {
  let left = Buffer.alloc(0);
  upstream.on("data", (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= HEAD_BYTES && left.length > left.readInt32BE(1)) {
      const message = left.subarray(0, left.readInt32BE(1) + 1);
      left = left.subarray(message.length);
      take(message.toString("latin1", 0, 1), message);
    }
  });
}
