import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, DistributionError } from "../database.ts";
import { fileFaultReason } from "../faults.ts";
import { makeFile, makeFolder } from "../folder.ts";
import { sqliteCatalog, columnTypes } from "./catalog.ts";
import { Checkpoints } from "./checkpoints.ts";
import { GroupCommit, takeIds } from "./commits.ts";
import { Connection, retryWhileBusy } from "./connection.ts";
import { copySqlite } from "./copy.ts";
import { kyselyOn } from "./kysely.ts";
import { NO_SYNC, openLogSync } from "./log-sync.ts";
import { commitLong } from "./long-batches.ts";
import { Mutex } from "./mutex.ts";
import { RecordCache } from "./record-cache.ts";
import { sqliteSerials } from "./serials.ts";

const FILE_CHECK_INTERVAL_MS = 1_000;
/** Time limit for schema changes. Long enough for another process to migrate large tables. */
const ALTER_TIMEOUT_MS = 3_600_000;

export async function openSqlite(path: string): Promise<Database> {
  if (path !== ":memory:") createFile(path);
  const writer = await openWriter(path);
  const reader = path === ":memory:" ? writer : await retryWhileBusy(() => new Connection(path, { readOnly: true }));
  const mutex = new Mutex();
  const records = new RecordCache();
  const log = path === ":memory:" ? NO_SYNC : openLogSync(path);
  const checkpoints = path === ":memory:" ? undefined : new Checkpoints(path, mutex);
  const watch = setInterval(() => saveLog(writer), FILE_CHECK_INTERVAL_MS).unref();
  const parts = { writer, mutex, records, log, checkpoints };
  const commits = new GroupCommit(parts);
  const write = kyselyOn(writer, mutex, () => records.clear());
  const read = reader === writer ? write : kyselyOn(reader, new Mutex());
  return {
    columnTypes,
    isDistributed: false,
    read,
    write,
    edit: (_lock, work) => write.transaction().execute(work),
    alter: (work) => retryWhileBusy(() => write.transaction().execute(work), ALTER_TIMEOUT_MS),
    commit: (batch) => commits.add(batch),
    commitLong: (batch) => commitLong(parts, batch),
    reserve: (count) => reserveIds(writer, mutex, count),
    describe: async () => describeDatabase(path, reader),
    serials: sqliteSerials(write),
    logPartitions: { list: async () => [], add: async () => {}, drop: async () => {} },
    catalog: sqliteCatalog(read, () => openSqlite(":memory:")),
    distribute: async () => {
      throw new DistributionError("SQLite can't be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.");
    },
    backup: (to) => backUp(path, reader, to),
    async close() {
      clearInterval(watch);
      await commits.idle();
      await checkpoints?.close();
      const release = await mutex.acquire();
      if (reader !== writer) reader.close();
      emptyLog(writer);
      log.close();
      writer.close();
      release();
    },
  };
}

/** Reserves IDs outside batches, because a batch may roll back. */
async function reserveIds(writer: Connection, mutex: Mutex, count: number): Promise<number> {
  const release = await mutex.acquire();
  try {
    return await retryWhileBusy(() => takeIds(writer, count));
  } finally {
    release();
  }
}

/** Saves a lost log even if nothing is written. The next write reports the error. */
function saveLog(writer: Connection): void {
  try {
    writer.checkFiles();
  } catch {}
}

/**
 * Empties the log. If the disk is full, keeps the log until the next start. Does nothing if the index file is lost, because another process
 * could be writing.
 */
function emptyLog(writer: Connection): void {
  if (writer.lostFile() === "-shm") return;
  try {
    writer.run("pragma wal_checkpoint(truncate)", []);
  } catch {}
}

/** Creates a private file, because SQLite would make it world-readable. Ignores errors, because SQLite reports them on opening. */
function createFile(path: string): void {
  makeFolder(dirname(path));
  if (existsSync(path)) return;
  try {
    makeFile(path);
  } catch {}
}

/** Opens the connection for writes. Adds the file name to errors, because SQLite's errors don't contain it. */
async function openWriter(path: string): Promise<Connection> {
  return retryWhileBusy(() => new Connection(path)).catch((error: Error) => {
    const reason = fileFaultReason(error);
    throw Object.assign(error, { message: `${error.message} (${path})${reason ? `: ${reason}` : ""}` });
  });
}

function describeDatabase(path: string, reader: Connection) {
  const version = String(reader.all("select sqlite_version() as version", [])[0]?.version);
  const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return { engine: "SQLite" as const, version, location: path, bytes };
}

/** Backs up the database, unless it is empty. */
async function backUp(path: string, reader: Connection, to: string): Promise<string | undefined> {
  if (reader.all("select 1 from sqlite_master limit 1", []).length === 0) return undefined;
  await copySqlite(path, to);
  return to;
}
