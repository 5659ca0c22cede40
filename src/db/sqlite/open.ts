import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "../database.ts";
import { tellFileFault } from "../faults.ts";
import { makeFile, makeFolder } from "../folder.ts";
import { sqliteCatalog } from "./catalog.ts";
import { Checkpoints } from "./checkpoints.ts";
import { columnTypes } from "./column-types.ts";
import { GroupCommit, takeIds } from "./commits.ts";
import { Connection, untilFree } from "./connection.ts";
import { copySqlite } from "./copy.ts";
import { KeptRecords } from "./kept-records.ts";
import { kyselyOn } from "./kysely.ts";
import { NO_SYNC, openLogSync } from "./log-sync.ts";
import { Mutex } from "./mutex.ts";

const WATCH_MS = 1_000;
/** As long as another process may need for a migration of large tables. */
const ALTER_LIMIT_MS = 3_600_000;

/** Opens the file at `path`, making it and its folder when missing; waits while another process makes it. One connection writes, another reads. */
export async function openSqlite(path: string): Promise<Database> {
  if (path !== ":memory:") makePlace(path);
  const writer = await openWriter(path);
  const reader = path === ":memory:" ? writer : await untilFree(() => new Connection(path, { readOnly: true }));
  const mutex = new Mutex();
  const records = new KeptRecords();
  const log = path === ":memory:" ? NO_SYNC : openLogSync(path);
  const checkpoints = path === ":memory:" ? undefined : new Checkpoints(path, mutex);
  const watch = setInterval(() => saveLog(writer), WATCH_MS).unref();
  const commits = new GroupCommit({ writer, mutex, records, log, checkpoints });
  const write = kyselyOn(writer, mutex, () => records.clear());
  const read = reader === writer ? write : kyselyOn(reader, new Mutex());
  return {
    columnTypes,
    read,
    write,
    edit: (_lock, work) => write.transaction().execute(work),
    alter: (work) => untilFree(() => write.transaction().execute(work), ALTER_LIMIT_MS),
    commit: (batch) => commits.add(batch),
    reserve: (count) => reserveIds(writer, mutex, count),
    describe: async () => describe(path, reader),
    catalog: sqliteCatalog(read, () => openSqlite(":memory:")),
    backup: (to) => backup(path, reader, to),
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

/** Not within the transaction of a batch, which may be undone. */
async function reserveIds(writer: Connection, mutex: Mutex, count: number): Promise<number> {
  const release = await mutex.acquire();
  try {
    return await untilFree(() => takeIds(writer, count));
  } finally {
    release();
  }
}

/** Saves a log that was taken away, also while nothing is written; the next write reports what is wrong. */
function saveLog(writer: Connection): void {
  try {
    writer.checkFiles();
  } catch {}
}

/**
 * On a disk without room for it the log stays beside its file: the next start takes it in. If the index was taken away, so are the locks
 * by which other processes know of this.
 */
function emptyLog(writer: Connection): void {
  if (writer.lostFile() === "-shm") return;
  try {
    writer.run("pragma wal_checkpoint(truncate)", []);
  } catch {}
}

/** SQLite itself would let everybody read the data. What stands in the way it tells itself. */
function makePlace(path: string): void {
  makeFolder(dirname(path));
  if (existsSync(path)) return;
  try {
    makeFile(path);
  } catch {}
}

/** SQLite does not say which file it cannot open or write. */
async function openWriter(path: string): Promise<Connection> {
  return untilFree(() => new Connection(path)).catch((error: Error) => {
    const why = tellFileFault(error);
    throw Object.assign(error, { message: `${error.message} (${path})${why ? `: ${why}` : ""}` });
  });
}

function describe(path: string, reader: Connection) {
  const version = String(reader.all("select sqlite_version() as version", [])[0]?.version);
  const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return { engine: "SQLite" as const, version, location: path, bytes };
}

/** Without a table there is nothing to save. */
async function backup(path: string, reader: Connection, to: string): Promise<string | undefined> {
  if (reader.all("select 1 from sqlite_master limit 1", []).length === 0) return undefined;
  await copySqlite(path, to);
  return to;
}
