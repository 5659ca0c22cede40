import type { PostgresPool } from "kysely";
import { Pool, type PoolClient, type QueryConfig } from "pg";
import type { ReplicaOptions } from "../database.ts";
import { limitResponseTime } from "./hosts.ts";
import type { HostPool } from "./pool.ts";

/** The minimum time between two checks. */
const CHECK_INTERVAL_MS = 1_000;
/** A replica that failed is tried again after this time. */
const RETRY_DELAY_MS = 10_000;
const QUERY_TIMEOUT_MS = 1_000;
const MAX_SAMPLES = 100;

const PRIMARY_POSITION_QUERY = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position";
/** Reads the replica's position. The timeout detects a frozen replica. */
const REPLICA_POSITION_QUERY: QueryConfig & { query_timeout: number } = {
  text: "select pg_last_wal_replay_lsn() - '0/0'::pg_lsn as position",
  query_timeout: QUERY_TIMEOUT_MS,
};

/** The primary's position in the write-ahead log at a point in time. */
type PositionSample = { at: number; position: number };

/**
 * Routes requests that may read stale data to the replica, and all others to the primary. Uses the primary if the replica is unavailable or
 * too far behind.
 */
export class ReplicaPool implements PostgresPool {
  readonly options = {};
  readonly #primary: HostPool;
  readonly #replica: Pool;
  readonly #settings: ReplicaOptions;
  #samples: PositionSample[] = [];
  /** The replica contains everything that the primary contained at this time. */
  #completeUntil = Number.NEGATIVE_INFINITY;
  #nextCheck = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(primary: HostPool, settings: ReplicaOptions, { max, timeoutSeconds }: { max: number; timeoutSeconds: number }) {
    this.#primary = primary;
    this.#settings = settings;
    this.#replica = new Pool({ max, connectionString: settings.url, connectionTimeoutMillis: QUERY_TIMEOUT_MS });
    this.#replica.on("error", () => {});
    this.#replica.on("connect", (client) => {
      limitResponseTime(client, timeoutSeconds);
      client.on("error", () => this.#pause());
    });
  }

  async connect(): Promise<PoolClient> {
    const reading = this.#settings.reading();
    if (reading === undefined) return this.#primary.connect();
    await (this.#check ??= this.#checkIfDue().finally(() => (this.#check = undefined)));
    const delay = performance.now() - this.#completeUntil;
    if (delay > this.#settings.maxDelayMs) return this.#primary.connect();
    const client = await this.#replica.connect().catch(() => this.#pause());
    if (client === undefined) return this.#primary.connect();
    reading.delayMs = Math.max(reading.delayMs ?? 0, delay);
    return client;
  }

  end(): Promise<void> {
    return this.#replica.end();
  }

  #pause(): undefined {
    this.#completeUntil = Number.NEGATIVE_INFINITY;
    this.#nextCheck = performance.now() + RETRY_DELAY_MS;
  }

  async #checkIfDue(): Promise<void> {
    if (performance.now() < this.#nextCheck) return;
    this.#nextCheck = performance.now() + CHECK_INTERVAL_MS;
    try {
      await this.#compare();
    } catch {
      this.#pause();
    }
  }

  /**
   * Compares the positions of replica and primary instead of times, because a replica can't tell an idle primary from a lost connection.
   */
  async #compare(): Promise<void> {
    const at = performance.now();
    const primary = await this.#primary.query<{ position: number }>(PRIMARY_POSITION_QUERY);
    this.#samples.push({ at, position: Number(primary.rows[0]!.position) });
    const replica = await this.#replica.query<{ position: number | null }>(REPLICA_POSITION_QUERY);
    const position = Number(replica.rows[0]!.position);
    const newestReachedIndex = this.#samples.findLastIndex((sample) => sample.position <= position);
    if (newestReachedIndex !== -1) this.#completeUntil = this.#samples[newestReachedIndex]!.at;
    this.#samples = newestReachedIndex === -1 ? this.#samples.slice(-MAX_SAMPLES) : this.#samples.slice(newestReachedIndex);
  }
}
