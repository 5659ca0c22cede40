import type { Database } from "../db/database.ts";
import { sequenceChanges } from "../journal/feed/sequence.ts";
import type { ErrorRecorder } from "../web/error-handler.ts";

const SEQUENCE_INTERVAL_MS = 1_000;

/** Assigns positions to changes in the background, so that readers rarely have to. The returned function waits for the last run. */
export function startChangePositions(database: Database, errors: ErrorRecorder): () => Promise<void> {
  let current: Promise<unknown> | undefined;
  const run = () => {
    current ??= sequenceChanges(database)
      .catch((error: unknown) => errors.record(error, undefined))
      .finally(() => (current = undefined));
  };
  const timer = setInterval(run, SEQUENCE_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await current;
  };
}
