import type { FastifyBaseLogger } from "fastify";
import { pruneFailures } from "../access/failures.ts";
import { pruneSessions } from "../access/sessions.ts";
import { DAY_MS } from "../calendar/night.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { claimJob } from "../db/jobs.ts";
import { type ClockJump, recordClock, pruningTime } from "../db/pruning-time.ts";
import { finishDeletions } from "../journal/delete-property.ts";
import { pruneJournal, clampActivityTimes, type PruneOptions } from "../journal/prune.ts";
import { pruneAudit } from "../records/audit.ts";
import { pruneImports } from "../records/import/store.ts";
import { type ErrorRecorder } from "../web/error-handler.ts";
import { pruneDeliveries } from "../webhooks/delivery-store.ts";

const HOUSEKEEPING_INTERVAL_MS = 3_600_000;
const FIRST_RUN_DELAY_MS = 60_000;
const KEEP_DELIVERIES_MS = 7 * DAY_MS;
const KEEP_IMPORTS_MS = 30 * DAY_MS;
const FINISH_DELETIONS_MS = 30 * DAY_MS;

export type HousekeepingDeps = { config: Config; clock: Clock; database: Database; errors: ErrorRecorder; log: FastifyBaseLogger };

/**
 * Deletes expired data in the background, one run at a time across all processes. The error log is pruned separately. The returned function
 * waits only for the current step, because a run can take minutes.
 */
export function startHousekeeping(housekeeping: HousekeepingDeps): () => Promise<void> {
  const stopping = new AbortController();
  let current: Promise<unknown> | undefined;
  const run = () => {
    current ??= cleanIfDue(housekeeping, stopping)
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        housekeeping.log.error(error, "housekeeping failed");
        void housekeeping.errors.record(error, undefined);
      })
      .finally(() => (current = undefined));
  };
  const firstRun = setTimeout(run, FIRST_RUN_DELAY_MS);
  const timer = setInterval(run, HOUSEKEEPING_INTERVAL_MS);
  return async () => {
    clearTimeout(firstRun);
    clearInterval(timer);
    stopping.abort();
    await current;
  };
}

class ClockJumpError extends Error {
  override readonly name = "ClockJumpError";

  constructor({ from, to }: ClockJump) {
    const [last, now] = [from, to].map((at) => Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: "second" }));
    super(
      `The clock jumped from ${last} to ${now}: the service was stopped, or the clock is wrong. Pruning is delayed so that nothing is deleted too early. If the clock is wrong, correct it.`,
    );
  }
}

type ClockCheck = Omit<HousekeepingDeps, "config" | "log"> & { log: { error(fields: { err: Error }): void } };

export async function checkClock({ clock, database, errors, log }: ClockCheck): Promise<void> {
  const clockJump = await recordClock(database, clock.now());
  if (!clockJump) return;
  const err = new ClockJumpError(clockJump);
  log.error({ err });
  await errors.record(err, undefined);
}

export async function cleanIfDue(housekeeping: HousekeepingDeps, until: PruneOptions = {}): Promise<boolean> {
  const { database, clock } = housekeeping;
  if (!(await claimJob(database, { name: "housekeeping", everyMs: HOUSEKEEPING_INTERVAL_MS }, clock.now()))) return false;
  await checkClock(housekeeping);
  await pruneExpired(housekeeping, until);
  return true;
}

export async function pruneExpired(
  { config, clock, database }: Omit<HousekeepingDeps, "errors" | "log">,
  until: PruneOptions = {},
): Promise<void> {
  const now = clock.now();
  const pruneUntil = await pruningTime(database, now);
  const { KEEP_LOG_DAYS: keepLogDays, KEEP_NIGHTS_DAYS: keepNightsDays } = config.values;
  const { idleMs } = config.session;
  const steps = [
    () => clampActivityTimes(database, now),
    () => finishDeletions(database, now - FINISH_DELETIONS_MS, until),
    () => pruneSessions(database, { since: pruneUntil - idleMs, until: now + idleMs }),
    () => pruneFailures(database, now),
    () => pruneDeliveries(database, pruneUntil - KEEP_DELIVERIES_MS, until),
    () => pruneImports(database, pruneUntil - KEEP_IMPORTS_MS, until),
    () => pruneAudit(database, pruneUntil - config.values.KEEP_AUDIT_DAYS * DAY_MS, until),
    () => pruneJournal(database, { now: pruneUntil, keepLogDays, keepNightsDays }, until),
  ];
  for (const step of steps) {
    until.signal?.throwIfAborted();
    await step();
  }
}
