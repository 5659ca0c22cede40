import type { FastifyBaseLogger } from "fastify";
import { pruneFailures } from "../access/failures.ts";
import { pruneSessions } from "../access/sessions.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { claimJob } from "../db/jobs.ts";
import { notePruningTime, pruningTime, type Jump } from "../db/pruning-time.ts";
import { pruneJournal, pullBackActivity, type Until } from "../journal/prune.ts";
import { type ErrorRecorder } from "../web/error-handler.ts";
import { IDLE_MS } from "../web/guard/session.ts";

const EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;

export type Housekeeping = { config: Config; clock: Clock; database: Database; errors: ErrorRecorder; log: FastifyBaseLogger };

/**
 * Removes data older than the settings keep, in the background; the error log prunes itself. One round at a time, in one of all processes.
 * The returned function stops it after the step under way: a round that has much to remove takes minutes.
 */
export function startHousekeeping(house: Housekeeping): () => Promise<void> {
  const stopping = new AbortController();
  let round: Promise<unknown> | undefined;
  const run = () => {
    round ??= cleanIfDue(house, stopping)
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        house.log.error(error, "housekeeping failed");
        void house.errors.record(error, undefined);
      })
      .finally(() => (round = undefined));
  };
  const first = setTimeout(run, FIRST_AFTER_MS);
  const timer = setInterval(run, EVERY_MS);
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    stopping.abort();
    await round;
  };
}

/** The clock went ahead while no service of this database ran, or it is wrong. */
class ClockJumpError extends Error {
  override readonly name = "ClockJumpError";

  constructor({ from, to }: Jump) {
    const [last, now] = [from, to].map((at) => Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: "second" }));
    super(
      `The clock went ahead from ${last} to ${now}: the service was off, or the clock is wrong. Pruning waits and then catches up, so that nothing is deleted too early. If the clock is wrong, set it.`,
    );
  }
}

type ClockCheck = Omit<Housekeeping, "config" | "log"> & { log: { error(fields: { err: Error }): void } };

/** Stores how far time has come for pruning, and reports if the clock jumped. Call it at least once a day. */
export async function checkClock({ clock, database, errors, log }: ClockCheck): Promise<void> {
  const jump = await notePruningTime(database, clock.now());
  if (!jump) return;
  const err = new ClockJumpError(jump);
  log.error({ err });
  await errors.record(err, undefined);
}

/** Cleans up unless another process has done so within the hour. Returns whether it did. */
export async function cleanIfDue(house: Housekeeping, until: Until = {}): Promise<boolean> {
  const isDue = await claimJob(house.database, { name: "housekeeping", everyMs: EVERY_MS }, house.clock.now());
  if (!isDue) return false;
  await checkClock(house);
  await clean(house, until);
  return true;
}

/** One round of it. */
export async function clean({ config, clock, database }: Omit<Housekeeping, "errors" | "log">, until: Until = {}): Promise<void> {
  const now = clock.now();
  const reached = await pruningTime(database, now);
  const { KEEP_LOG_DAYS: keepLogDays, KEEP_NIGHTS_DAYS: keepNightsDays } = config.values;
  await pullBackActivity(database, now);
  await pruneJournal(database, { now: reached, keepLogDays, keepNightsDays }, until);
  await pruneSessions(database, { since: reached - IDLE_MS, until: now + IDLE_MS });
  await pruneFailures(database, now);
}
