import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

type Body = { type: string; text: string };

/** A keep-alive connection. With several workers, all its requests go to the same worker. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask({ method: "GET", path, headers });
  }

  post(path: string, body: Body): Promise<Answer> {
    return this.#ask({ method: "POST", path, headers: { "content-type": body.type } }, body.text);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(options: { method: string; path: string; headers: Record<string, string> }, body = ""): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request(this.#origin, { ...options, agent: this.#agent }, (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then((answer) => resolve({ status: statusCode, headers, text: answer }), reject);
    });
    sent.on("error", reject).end(body);
    return promise;
  }
}

export async function processIdOf(connection: Connection, headers: Record<string, string> = {}): Promise<number> {
  const { text: page } = await connection.get("/tools/phpinfo?format=json", headers);
  const { groups } = JSON.parse(page) as { groups: { facts: { name: string; value: number }[] }[] };
  return groups.flatMap(({ facts }) => facts).find(({ name }) => name === "Process ID")!.value;
}

export type WorkerConnection = { pid: number; connection: Connection };

/** Returns a connection to each of `count` workers. Retries if a connection reaches a worker that has just died. */
export async function connectToWorkers(origin: string, count: number, headers: Record<string, string> = {}): Promise<WorkerConnection[]> {
  const found = new Map<number, Connection>();
  while (found.size < count) {
    const connection = new Connection(origin);
    const pid = await processIdOf(connection, headers).catch(() => undefined);
    if (pid === undefined || found.has(pid)) connection.close();
    else found.set(pid, connection);
    await sleep(5);
  }
  return [...found].map(([pid, connection]) => ({ pid, connection }));
}
