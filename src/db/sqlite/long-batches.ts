import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { LongBatch, LongBatchStep } from "../database.ts";
import { checkChanges } from "../faults.ts";
import type { GroupParts } from "./commits.ts";
import { beginTransaction, type Connection } from "./connection.ts";

/**
 * Runs one step per turn of the event loop. Until the transaction ends, readers see the data from before it. The sync and the checkpoint
 * run on other threads.
 */
export async function commitLong({ writer, mutex, records, log, checkpoints }: GroupParts, { steps }: LongBatch): Promise<void> {
  const release = await mutex.acquire();
  let written = 0;
  try {
    records.clear();
    writer.synchronous("normal");
    writer.checkpointsItself(false);
    await beginTransaction(writer);
    for (const step of steps) {
      written += runStep(writer, step);
      await nextEventLoopTurn();
    }
    writer.checkFiles();
    writer.run("commit", []);
  } catch (error) {
    if (writer.inTransaction) writer.run("rollback", []);
    throw error;
  } finally {
    writer.checkpointsItself(true);
    writer.synchronous("full");
    release();
  }
  try {
    writer.checkLog();
    await log.sync();
  } catch (error) {
    writer.refuseWrites(error);
    throw error;
  }
  checkpoints?.countValues(written);
}

/** Returns the number of values written. */
function runStep(writer: Connection, { read, decide }: LongBatchStep): number {
  const rows = read.map(({ sql, values }) => writer.all(sql, values));
  let written = 0;
  for (const statement of decide(rows)) {
    const { changes } = writer.run(statement.sql, statement.values);
    checkChanges(statement, changes);
    written += statement.values.length;
  }
  return written;
}
