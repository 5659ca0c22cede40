import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Client } from "pg";

/** A pooler between clients and a few server connections. Each transaction gets the next free connection, which isn't reset. */
export type TransactionPooler = Disposable & { url: string };

/** If `tracksStatements` is set, prepared statements work on any connection, as in PgBouncer 1.21 and later. */
export type Pooling = { connections: number; tracksStatements: boolean };

const HEAD_BYTES = 5;
const [PARSE, BIND, SYNC, QUERY, READY, TERMINATE] = ["P", "B", "S", "Q", "Z", "X"];
const IDLE = "I";
/** AuthenticationOk and ReadyForQuery: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const WELCOME = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from(IDLE))]);

type Server = { stream: Socket; owner: Socket | undefined; unanswered: number };
type Turn = { client: Socket; sent: Buffer; questions: number };

export async function poolTransactions(url: string, { connections, tracksStatements }: Pooling): Promise<TransactionPooler> {
  const pool = new ServerPool(await Promise.all(Array.from({ length: connections }, () => connectTo(url))));
  const server = createServer({ noDelay: true }, (client) => {
    client.on("error", () => {});
    client.once("data", () => {
      client.write(WELCOME);
      const rewrite = tracksStatements ? rememberStatements() : (_type: string, sent: Buffer) => sent;
      readMessages(client, (type, sent) => {
        if (type === TERMINATE) client.end();
        else pool.take({ client, sent: rewrite(type, sent), questions: Number(type === SYNC || type === QUERY) });
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    [Symbol.dispose]() {
      server.close();
      pool.close();
    },
  };
}

class ServerPool {
  readonly #servers: Server[];
  #waiting: Turn[] = [];

  constructor(streams: readonly Socket[]) {
    this.#servers = streams.map((stream) => ({ stream, owner: undefined, unanswered: 0 }));
    for (const server of this.#servers) readMessages(server.stream, (type, answer) => this.#answer(server, type, answer));
  }

  take(turn: Turn): void {
    const server = this.#servers.find(({ owner }) => owner === turn.client) ?? this.#nextFree();
    if (!server || this.#waiting.some(({ client }) => client === turn.client)) return void this.#waiting.push(turn);
    this.#send(server, turn);
  }

  close(): void {
    for (const { stream } of this.#servers) stream.destroy();
  }

  #nextFree(): Server | undefined {
    const index = this.#servers.findIndex(({ owner }) => owner === undefined);
    if (index === -1) return undefined;
    const [server] = this.#servers.splice(index, 1);
    this.#servers.push(server!);
    return server;
  }

  #send(server: Server, { client, sent, questions }: Turn): void {
    server.owner = client;
    server.unanswered += questions;
    server.stream.write(sent);
  }

  #answer(server: Server, type: string, answer: Buffer): void {
    server.owner?.write(answer);
    if (type !== READY) return;
    server.unanswered--;
    if (server.unanswered > 0 || answer.toString("latin1", HEAD_BYTES) !== IDLE) return;
    server.owner = undefined;
    for (const turn of this.#waiting.splice(0)) this.take(turn);
  }
}

async function connectTo(url: string): Promise<Socket> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const stream = client.connection.stream as Socket;
  stream.removeAllListeners("data");
  return stream;
}

/** Prepares each statement again whenever it is used, because connections don't share statements. */
function rememberStatements(): (type: string, sent: Buffer) => Buffer {
  const prepared = new Map<string, Buffer>();
  return (type, sent) => {
    if (type === PARSE) {
      const [name, rest] = split(sent.subarray(HEAD_BYTES));
      prepared.set(name, message(PARSE, Buffer.concat([Buffer.from("\0"), rest])));
      return Buffer.alloc(0);
    }
    if (type !== BIND) return sent;
    const [portal, named] = split(sent.subarray(HEAD_BYTES));
    const [name, values] = split(named);
    return Buffer.concat([prepared.get(name)!, message(BIND, Buffer.concat([Buffer.from(`${portal}\0\0`), values]))]);
  };
}

function split(bytes: Buffer): [string, Buffer] {
  const end = bytes.indexOf(0);
  return [bytes.toString("utf8", 0, end), bytes.subarray(end + 1)];
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function readMessages(stream: Socket, take: (type: string, message: Buffer) => void): void {
  let left = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= HEAD_BYTES && left.length > left.readInt32BE(1)) {
      const whole = left.subarray(0, left.readInt32BE(1) + 1);
      left = left.subarray(whole.length);
      take(whole.toString("latin1", 0, 1), whole);
    }
  });
}
