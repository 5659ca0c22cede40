import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Puts commits in the log of a database on the disk, without holding up the event loop. */
export type LogSync = { sync(): Promise<void>; close(): void };

const flush = promisify(fdatasync);

/**
 * For the write-ahead log of the database at `path`, which stays the same file as long as a connection is open.
 * SQLite has no locks on it that closing it here could let go: https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export function openLogSync(path: string): LogSync {
  let log: number | undefined;
  return {
    async sync() {
      log ??= openSync(`${path}-wal`, "r+");
      await flush(log);
    },
    close() {
      if (log !== undefined) closeSync(log);
    },
  };
}

/** For a database in memory. */
export const NO_SYNC: LogSync = { sync: async () => {}, close: () => {} };
