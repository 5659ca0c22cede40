import { availableParallelism } from "node:os";
import type { ReplicaOptions } from "./database.ts";

/** Maximum number of PostgreSQL connections for each kind of work. */
export type ConnectionLimits = { batches: number; queries: number; edits: number };

/** Both options apply only to PostgreSQL. */
export type OpenOptions = { limits?: ConnectionLimits; replica?: ReplicaOptions | undefined };

/** Maximum number of concurrent batches across all processes, if no total is set. The same limit applies to queries. */
const MAX_BATCH_CONNECTIONS = 2 * availableParallelism();
/** At least two, so that one slow statement doesn't block the whole process. */
const MIN_BATCH_CONNECTIONS = 2;
const MAX_EDIT_CONNECTIONS = 2;
/** One connection for each kind of work. The settings require at least this many per process. */
const MIN_CONNECTIONS = 3;
const SINGLE_PROCESS_CONNECTIONS = 8;

export const COMMAND_CONNECTIONS = defaultLimits(1);

/** A thread handles one message at a time and edits no records. */
export const THREAD_CONNECTIONS: ConnectionLimits = { batches: 1, queries: 1, edits: 1 };
const CONNECTIONS_PER_THREAD = 2;

export type ConnectionSharing = { total: number | undefined; processes: number; threads: number };

/**
 * Divides `total` connections among the service's processes. Returns the limits for one process and its number of threads, which is lower
 * than `threads` if there are few connections.
 */
export function shareConnections({ total, processes, threads }: ConnectionSharing): { limits: ConnectionLimits; threads: number } {
  if (total === undefined) return { limits: defaultLimits(processes), threads };
  const connectionsPerProcess = Math.floor(total / processes);
  const threadCount = Math.min(threads, Math.floor((connectionsPerProcess - MIN_CONNECTIONS) / CONNECTIONS_PER_THREAD));
  return { limits: divideConnections(connectionsPerProcess - threadCount * CONNECTIONS_PER_THREAD), threads: threadCount };
}

function divideConnections(connections: number): ConnectionLimits {
  const editConnections = connections >= SINGLE_PROCESS_CONNECTIONS ? MAX_EDIT_CONNECTIONS : 1;
  const batchConnections = Math.ceil((connections - editConnections) / 2);
  return { batches: batchConnections, queries: connections - editConnections - batchConnections, edits: editConnections };
}

function defaultLimits(processes: number): ConnectionLimits {
  const batchConnections = Math.max(MIN_BATCH_CONNECTIONS, Math.ceil(MAX_BATCH_CONNECTIONS / processes));
  return { batches: batchConnections, queries: batchConnections, edits: MAX_EDIT_CONNECTIONS };
}
