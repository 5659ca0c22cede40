import type { Socket } from "node:net";
import { availableParallelism } from "node:os";
import { Kysely } from "kysely";
import { type Client, type ClientBase, Pool, types } from "pg";
import type { ColumnTypes, Database } from "../database.ts";
import type { Tables } from "../schema.ts";
import { postgresCatalog } from "./catalog.ts";
import { commitBatch, reserve } from "./commits.ts";
import { checkServer } from "./fitness.ts";
import { BEGIN, BEGIN_UNLIMITED, Dialect, lockedOn } from "./transactions.ts";

const columnTypes: ColumnTypes = {
  integer: "bigint",
  bytes: "bytea",
  bytewise: 'text collate "C"',
  serial: "bigint generated always as identity primary key",
  strict: "",
  keyed: "",
  batchCounter: "create sequence batch_id",
};

const INT8 = 20;
types.setTypeParser(INT8, Number);

/** After this much silence a connection is probed for its other end; the system would wait for two hours. */
const PROBE_AFTER_MS = 10_000;

/** A connection through a pooler or a proxy can come to lead to another server than when it was made. */
const LIFETIME_SECONDS = 600;

/** Connections of all processes for batches; queries get as many again. */
const CONNECTIONS = 2 * availableParallelism();
/** Each process has at least as many, so that one slow statement doesn't hold up all others. */
const LEAST_CONNECTIONS = 2;

/** People edit few records at the same time. */
const EDIT_CONNECTIONS = 2;

/** The lock of changes of the schema; no property has a code like it. */
const SCHEMA = "roomrack: schema";

/** Connects to `url` as one of so many processes on this machine. Throws `UnfitServerError`. */
export async function openPostgres(url: string, processes: number): Promise<Database> {
  const { batches, queries, edits, alterations } = openPools(url, Math.max(LEAST_CONNECTIONS, Math.ceil(CONNECTIONS / processes)));
  await checkServer(queries, batches).catch(async (error: unknown) => {
    await Promise.all([queries.end(), batches.end()]);
    throw error;
  });
  const kysely = new Kysely<Tables>({ dialect: new Dialect(queries, BEGIN) });
  const edit = new Kysely<Tables>({ dialect: new Dialect(edits, BEGIN) });
  const alter = new Kysely<Tables>({ dialect: new Dialect(alterations, BEGIN_UNLIMITED) });
  return {
    columnTypes,
    read: kysely,
    write: kysely,
    edit: (lock, work) => lockedOn(edit, lock, work),
    alter: (work) => lockedOn(alter, SCHEMA, work),
    commit: (batch) => commitBatch(batches, batch),
    reserve: (count) => reserve(queries, count),
    describe: () => describe(queries, url),
    catalog: postgresCatalog(kysely),
    backup: async () => undefined,
    async close() {
      await Promise.all([kysely.destroy(), edit.destroy(), alter.destroy(), batches.end()]);
    },
  };
}

type Pools = Readonly<Record<"batches" | "queries" | "edits" | "alterations", Pool>>;

/**
 * Edits have their own pool, so that pages can be read while edits wait for a lock. The one connection for alterations has no time limit,
 * and must not keep the process alive if the server does not answer the farewell.
 */
function openPools(url: string, connections: number): Pools {
  const asked = Number(URL.parse(url)?.searchParams.get("connect_timeout"));
  const seconds = asked > 0 ? asked : PATIENCE_SECONDS;
  const probed = { keepAlive: true, keepAliveInitialDelayMillis: PROBE_AFTER_MS };
  const common = { connectionString: url, connectionTimeoutMillis: seconds * 1_000, maxLifetimeSeconds: LIFETIME_SECONDS, ...probed };
  const onConnect = async (client: ClientBase) => {
    limitSilence(client as Client, seconds);
    await refuseStandby(client);
  };
  const options = {
    batches: { ...common, max: connections, pipeline: true, onConnect },
    queries: { ...common, max: connections, onConnect },
    edits: { ...common, max: EDIT_CONNECTIONS, onConnect },
    alterations: { ...common, max: 1, allowExitOnIdle: true },
  };
  const pools = {
    batches: new Pool(options.batches),
    queries: new Pool(options.queries),
    edits: new Pool(options.edits),
    alterations: new Pool(options.alterations),
  };
  for (const pool of Object.values(pools)) outliveConnections(pool);
  return pools;
}

/** How long to wait for a connection, and then for each part of an answer, unless `connect_timeout` of the URL differs. */
const PATIENCE_SECONDS = 20;

/** A silent server breaks no connection, and a query would wait for ever, so the socket has a time-out. */
function limitSilence(client: Client, seconds: number): void {
  const stream = client.connection.stream as Socket;
  const fault = `The server of the database sent nothing for ${seconds} second${seconds === 1 ? "" : "s"}`;
  stream.setTimeout(seconds * 1_000, () => stream.destroy(Object.assign(new Error(fault), { code: "ETIMEDOUT" })));
}

/** After a failover the name of the server can still lead to the one that led before, whose data are old. */
async function refuseStandby(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  if (rows[0]!.standby) throw Object.assign(new Error("The server of the database is a standby"), { code: "25006" });
}

/** A broken connection already fails its query. Without a listener its error would also end the process. */
function outliveConnections(pool: Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

async function describe(pool: Pool, url: string) {
  const sql = `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    current_database() || case current_schema() when 'public' then '' else ' (schema ' || current_schema() || ')' end as place`;
  const { rows } = await pool.query<{ version: string; bytes: number; place: string }>(sql);
  const { version, bytes, place } = rows[0]!;
  return { engine: "PostgreSQL" as const, version, location: `${serverOf(url)}/${place}`, bytes };
}

/** Host and port, or the folder of a socket, which the client takes from the parameters first. */
function serverOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return [searchParams.get("host") ?? hostname, searchParams.get("port") ?? port].filter(Boolean).join(":");
}
