import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { ErrorLog } from "../errors/recorder.ts";

export function openErrorLog({ values, dataDir, workers }: Config, database: Database, clock: Clock): ErrorLog {
  const { KEEP_ERRORS_DAYS: keepDays, KEEP_ERRORS: keep, IGNORE_NOT_FOUND: ignoredPaths } = values;
  const keepBytes = values.KEEP_ERRORS_MB * 2 ** 20;
  const alertMode = values.ERROR_WEBHOOK_URL ? "alert" : "silent";
  return new ErrorLog({ database, clock, dataDir, keepDays, keep, keepBytes, ignoredPaths, alertMode, workers });
}
