import { Kysely } from "kysely";
import { type Client, type ClientBase, type Pool, types } from "pg";
import { COMMAND_CONNECTIONS, type ConnectionLimits, type OpenOptions } from "../connections.ts";
import type { ColumnTypes, Database, ReplicaOptions } from "../database.ts";
import type { Tables } from "../schema.ts";
import { postgresCatalog } from "./catalog.ts";
import { commitBatch, commitLong, reserveIds } from "./commits.ts";
import { distribute, isDistributed } from "./distribution.ts";
import { checkServer, UnsuitableServerError } from "./fitness.ts";
import { PostgresHosts, limitResponseTime, refuseStandby } from "./hosts.ts";
import { partitionTable, postgresLogPartitions } from "./log-partitions.ts";
import { HostPool, type HostPoolOptions } from "./pool.ts";
import { ReplicaPool } from "./replica.ts";
import { postgresSerials } from "./serials.ts";
import { BEGIN_TRANSACTION, BEGIN_SEQUENTIAL, BEGIN_UNLIMITED, Dialect, lockedOn } from "./transactions.ts";

const columnTypes: ColumnTypes = {
  integer: "bigint",
  bytes: "bytea",
  bytewise: 'text collate "C"',
  serial: "bigint generated always as identity primary key",
  strict: "",
  keyed: "",
  batchCounter: "create sequence batch_id",
  partitioned: partitionTable,
};

const INT8_OID = 20;
types.setTypeParser(INT8_OID, Number);

/** TCP keep-alive interval. The system default is two hours. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Connections are replaced after this time. After a failover, an old connection through a pooler or proxy may still reach the previous
 * server.
 */
const MAX_CONNECTION_AGE_SECONDS = 600;

const SCHEMA_LOCK = "roomrack: schema";

export async function openPostgres(url: string, { limits = COMMAND_CONNECTIONS, replica }: OpenOptions): Promise<Database> {
  const hosts = new PostgresHosts(url);
  const { batches, queries, edits, schemaChanges } = openPools(hosts, limits);
  const hasDistributedTables = await inspectServer(queries, batches, replica);
  const kysely = new Kysely<Tables>({ dialect: new Dialect(queries, BEGIN_TRANSACTION) });
  const replicaReads = replica
    ? new Kysely<Tables>({
        dialect: new Dialect(
          new ReplicaPool(queries, replica, { max: limits.queries, timeoutSeconds: hosts.timeoutSeconds }),
          BEGIN_TRANSACTION,
        ),
      })
    : kysely;
  const edit = new Kysely<Tables>({ dialect: new Dialect(edits, BEGIN_TRANSACTION) });
  const schema = new Kysely<Tables>({ dialect: new Dialect(schemaChanges, hasDistributedTables ? BEGIN_SEQUENTIAL : BEGIN_UNLIMITED) });
  const alter: Database["alter"] = (work) => lockedOn({ kysely: schema, lockRow: false }, SCHEMA_LOCK, work);
  return {
    columnTypes,
    isDistributed: hasDistributedTables,
    read: replicaReads,
    write: kysely,
    edit: (lock, work) => lockedOn({ kysely: edit, lockRow: hasDistributedTables }, lock, work),
    alter,
    commit: (batch) => commitBatch({ pool: batches, lockRow: hasDistributedTables }, batch),
    commitLong: (batch) => commitLong(batches, batch),
    reserve: (count) => reserveIds(queries, count),
    describe: () => describeServer(queries, hosts),
    catalog: postgresCatalog(kysely),
    serials: postgresSerials(queries),
    logPartitions: postgresLogPartitions(kysely, alter),
    distribute: (report) => distribute({ read: kysely, alter }, report),
    backup: async () => undefined,
    async close() {
      await Promise.all([kysely.destroy(), replica && replicaReads.destroy(), edit.destroy(), schema.destroy(), batches.end()]);
    },
  };
}

/** Waits for the server, checks it, and returns whether the tables are distributed. */
async function inspectServer(queries: HostPool, batches: HostPool, replica: ReplicaOptions | undefined): Promise<boolean> {
  try {
    await checkServer(queries, batches);
    const hasDistributedTables = await isDistributed(queries);
    if (hasDistributedTables && replica) throw new UnsuitableServerError(NO_REPLICA_TEXT);
    return hasDistributedTables;
  } catch (error) {
    await Promise.all([queries.end(), batches.end()]);
    throw error;
  }
}

const NO_REPLICA_TEXT = "The database is distributed with Citus, which does not support a replica here. Remove DATABASE_REPLICA_URL.";

type Pools = Readonly<Record<"batches" | "queries" | "edits" | "schemaChanges", HostPool>>;

/**
 * Opens the connection pools. Edits have their own, so that pages can be read while edits wait for a lock. Schema changes have no time
 * limit.
 */
function openPools(hosts: PostgresHosts, limits: ConnectionLimits): Pools {
  const seconds = hosts.timeoutSeconds;
  const tcp = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  const commonOptions = { connectionTimeoutMillis: seconds * 1_000, maxLifetimeSeconds: MAX_CONNECTION_AGE_SECONDS, ...tcp };
  const onConnect = async (client: ClientBase) => {
    limitResponseTime(client as Client, seconds);
    await refuseStandby(client);
  };
  const pools: HostPool[] = [];
  const openPool = (options: HostPoolOptions) => {
    const pool = new HostPool({ ...commonOptions, ...options }, hosts, pools);
    pools.push(pool);
    return pool;
  };
  return {
    batches: openPool({ max: limits.batches, pipeline: true, onConnect }),
    queries: openPool({ max: limits.queries, onConnect }),
    edits: openPool({ max: limits.edits, onConnect }),
    schemaChanges: openPool({ max: 1, allowExitOnIdle: true, onConnect: refuseStandby }),
  };
}

async function describeServer(pool: Pool, hosts: PostgresHosts) {
  const sql = `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    current_database() || case current_schema() when 'public' then '' else ' (schema ' || current_schema() || ')' end as place`;
  const { rows } = await pool.query<{ version: string; bytes: number; place: string }>(sql);
  const { version, bytes, place } = rows[0]!;
  return { engine: "PostgreSQL" as const, version, location: `${serverName(hosts.current)}/${place}`, bytes };
}

function serverName(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return [searchParams.get("host") ?? hostname, searchParams.get("port") ?? port].filter(Boolean).join(":");
}
