import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

export type LogSync = { sync(): Promise<void>; close(): void };

const flush = promisify(fdatasync);

/**
 * Opens the log file for syncing. The file doesn't change while a connection is open. SQLite has no locks on it that closing our handle
 * could release: https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
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

export const NO_SYNC: LogSync = { sync: async () => {}, close: () => {} };
