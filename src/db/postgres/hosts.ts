import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientBase } from "pg";
import { hostUrls } from "../../database-url.ts";

/** Time limit for connecting and for each part of a response. `connect_timeout` in the URL overrides it. */
const CONNECT_TIMEOUT_SECONDS = 20;
const RETRY_DELAY_MS = 200;
/** A search for the primary lasts at least this long, so that requests survive a short switchover. */
const MIN_SEARCH_MS = 1_000;

type PostgresHost = { url: string; name: string };

/** The hosts in a database URL. If there are several, all pools connect to the primary. */
export class PostgresHosts {
  readonly timeoutSeconds: number;
  readonly #hosts: readonly PostgresHost[];
  #current: PostgresHost;
  #isLost: boolean;
  #search: Promise<void> | undefined;

  constructor(url: string) {
    this.#hosts = (hostUrls(url) ?? [url]).map((one) => ({ url: one, name: hostName(new Client({ connectionString: one })) }));
    this.#current = this.#hosts[0]!;
    this.#isLost = this.#hosts.length > 1;
    const requestedTimeout = Number(URL.parse(this.current)?.searchParams.get("connect_timeout"));
    this.timeoutSeconds = requestedTimeout > 0 ? requestedTimeout : CONNECT_TIMEOUT_SECONDS;
  }

  /** The URL of the last known primary. */
  get current(): string {
    return this.#current.url;
  }

  /** Returns the URL of the primary. If the last known one has failed, looks for it on all hosts in parallel. */
  async find(): Promise<string> {
    if (this.#isLost) await (this.#search ??= this.#searchPrimary().finally(() => (this.#search = undefined)));
    return this.current;
  }

  /** Returns whether a connection is to the last known primary. */
  isCurrent(client: ClientBase): boolean {
    return this.#hosts.length === 1 || hostName(client as Client) === this.#current.name;
  }

  /** Makes `find` look for the primary again. Returns whether there are several hosts. */
  markLost(): boolean {
    this.#isLost = this.#hosts.length > 1;
    return this.#isLost;
  }

  /**
   * Looks for the primary on all hosts. A frozen host must not delay the search, because another one may become the primary in the
   * meantime.
   */
  async #searchPrimary(): Promise<void> {
    const silentHosts = new Set(this.#hosts);
    const end = performance.now() + MIN_SEARCH_MS;
    let isOver = false;
    const watch = async (host: PostgresHost): Promise<PostgresHost> => {
      for (;;) {
        const fault = await this.#probe(host.url);
        if (fault === undefined) return host;
        silentHosts.delete(host);
        if (isOver || (silentHosts.size === 0 && performance.now() > end)) throw fault;
        await sleep(RETRY_DELAY_MS);
      }
    };
    try {
      this.#current = await Promise.any(this.#hosts.map(watch));
      this.#isLost = false;
    } catch (error) {
      throw (error as AggregateError).errors.at(-1);
    } finally {
      isOver = true;
    }
  }

  /** Returns the reason why a host is not the primary, or undefined if it is. */
  async #probe(url: string): Promise<Error | undefined> {
    const limit = this.timeoutSeconds * 1_000;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: limit, query_timeout: limit });
    client.on("error", () => {});
    try {
      await client.connect();
      await refuseStandby(client);
      return undefined;
    } catch (error) {
      // The client reports timeouts without a code, so this adds one.
      return Object.assign(error as Error, { code: (error as { code?: string }).code ?? "ETIMEDOUT" });
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** Throws if the server is a standby. After a failover, the host name may still resolve to the old primary, whose data is stale. */
export async function refuseStandby(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  if (rows[0]!.standby) throw Object.assign(new Error("The database server is a standby"), { code: "25006" });
}

/** Sets a socket timeout. Without one, a query to an unresponsive server would wait forever. */
export function limitResponseTime(client: Client, seconds: number): void {
  const stream = client.connection.stream as Socket;
  const fault = `The database server sent nothing for ${seconds} second${seconds === 1 ? "" : "s"}`;
  stream.setTimeout(seconds * 1_000, () => stream.destroy(Object.assign(new Error(fault), { code: "ETIMEDOUT" })));
}

function hostName({ host, port }: { host?: string; port?: number }): string {
  return `${host}:${port}`;
}
