import { setTimeout as sleep } from "node:timers/promises";
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from "pg";
import { isPoolFault, isOutOfConnections } from "../faults.ts";
import type { PostgresHosts } from "./hosts.ts";

/** How long a caller waits for a connection if the server has none left. */
const MAX_WAIT_MS = 15_000;
const POLL_INTERVAL_MS = 100;
/** A pool returns to its full size once the server has refused no connections for this long. */
const RECOVERY_TIMEOUT_MS = 10_000;

type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: (destroy?: boolean) => void) => void;

export type HostPoolOptions = Omit<PoolConfig, "connectionString" | "onConnect"> & {
  max: number;
  onConnect(client: ClientBase): Promise<void>;
};

/** A pool of connections to the primary. If the server has no connections left, callers wait for one of the pool's open ones. */
export class HostPool extends Pool {
  readonly #hosts: PostgresHosts;
  readonly #max: number;
  readonly #siblings: readonly HostPool[];
  #open = 0;
  #isClosingOne = false;
  #recovery: NodeJS.Timeout | undefined;

  /** If this pool can't open a connection, one of `siblings` closes one. */
  constructor(options: HostPoolOptions, hosts: PostgresHosts, siblings: readonly HostPool[]) {
    super(options);
    this.#hosts = hosts;
    this.#max = options.max;
    this.#siblings = siblings;
    // A broken connection already fails its query. Without a listener, its error event would also end the process.
    this.on("error", () => {});
    this.on("connect", (client) => client.on("error", () => this.#markHostLost(client)));
    this.on("connect", () => this.#open++);
    this.on("remove", () => this.#open--);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    return callback ? void this.#connectFor(callback) : this.#connect(MAX_WAIT_MS);
  }

  async #connectFor(callback: ConnectCallback): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.#connect(MAX_WAIT_MS);
    } catch (error) {
      return callback(error as Error, undefined, () => {});
    }
    callback(undefined, client, client.release);
  }

  /** Rejects immediately if the server refuses the connection. */
  connectNow(): Promise<PoolClient> {
    return this.#connect(0);
  }

  async #connect(waitMs: number): Promise<PoolClient> {
    const end = performance.now() + waitMs;
    for (let isRetry = false; ;) {
      this.options.connectionString = await this.#hosts.find();
      try {
        const client = await super.connect();
        if (this.#hosts.isCurrent(client)) return client;
        client.release(true);
      } catch (error) {
        if (isOutOfConnections(error) && performance.now() < end) {
          await this.#makeRoom();
          continue;
        }
        if (isRetry || isPoolFault(error) || isOutOfConnections(error) || !this.#hosts.markLost()) throw error;
        isRetry = true;
      }
    }
  }

  #markHostLost(client: PoolClient): void {
    if (this.#hosts.isCurrent(client)) this.#hosts.markLost();
  }

  /**
   * Limits the pool to its open connections, so that callers wait for these. If none is open, makes the sibling with the most connections
   * close one.
   */
  async #makeRoom(): Promise<void> {
    if (this.#open > 0) return this.#limitTo(this.#open);
    const [largest] = this.#siblings.toSorted((a, b) => b.#open - a.#open);
    if (largest) largest.#closeOne();
    await sleep(POLL_INTERVAL_MS);
  }

  #closeOne(): void {
    if (this.#open < 2 || this.#isClosingOne) return;
    this.#isClosingOne = true;
    this.#limitTo(this.#open - 1);
    const end = () => (this.#isClosingOne = false);
    super.connect().then((client) => {
      this.once("remove", end);
      client.release(true);
    }, end);
  }

  #limitTo(connections: number): void {
    this.options.max = connections;
    clearTimeout(this.#recovery);
    this.#recovery = setTimeout(() => (this.options.max = this.#max), RECOVERY_TIMEOUT_MS).unref();
  }
}
