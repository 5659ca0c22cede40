import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { claimJob } from "../../db/jobs.ts";
import { pruningTime } from "../../db/pruning-time.ts";
import { SingleFlight } from "../tasks.ts";
import { clampGroupTimes, expireMutes } from "./group-store.ts";
import { pruneErrorBytes, pruneErrorEntries, pruneErrorGroups } from "./prune-store.ts";
import { pruneRuleCounts } from "./rule-count-store.ts";
import { groupBatch, hasUngrouped } from "./store.ts";

const MAINTENANCE_INTERVAL_MS = 60_000;
const BATCH_ROWS = 500;
const PAUSE_MS = 20;
/** Limits the number of open groups, because anyone can send reports that create groups. */
const MAX_OPEN_GROUPS = 10_000;
const KEEP_HOURS_MS = 29 * DAY_MS;

/** Pruning starts early once this share of `keepBytes` has been added. */
const PRUNE_OVERSHOOT = 0.01;

export type MaintenanceOptions = {
  database: Database;
  clock: Clock;
  keepDays: number;
  keep: number;
  keepBytes: number;
  onOversize(count: number): void;
};

export class ErrorLogMaintenance {
  readonly #options: MaintenanceOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #round = new SingleFlight(() => this.#run());
  readonly #pruning = new SingleFlight(() => this.#prune());
  readonly #grouping = new SingleFlight(() => this.#assignGroups().catch(() => {}));
  #addedBytes = 0;
  #closed = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#round.run(), MAINTENANCE_INTERVAL_MS).unref();
    void this.assignGroups();
  }

  async #run(): Promise<void> {
    const { database, clock } = this.#options;
    const isDue = await claimJob(database, { name: "error log", everyMs: MAINTENANCE_INTERVAL_MS }, clock.now()).catch(() => false);
    if (isDue) await this.assignGroups();
    if (!isDue || this.#closed) return;
    await expireMutes(database, clock.now()).catch(() => {});
    await this.prune().catch(() => {});
  }

  assignGroups(): Promise<void> {
    return this.#grouping.run();
  }

  async #assignGroups(): Promise<void> {
    const { database } = this.#options;
    while (!this.#closed && (await hasUngrouped(database))) {
      await groupBatch(database);
      await sleep(PAUSE_MS);
    }
  }

  prune(): Promise<number> {
    return this.#pruning.run();
  }

  noteStored(bytes: number): void {
    this.#addedBytes += bytes;
    if (this.#closed || this.#addedBytes < this.#options.keepBytes * PRUNE_OVERSHOOT) return;
    this.#addedBytes = 0;
    void this.prune().catch(() => {});
  }

  async #prune(): Promise<number> {
    const { database, clock, keepDays, keep, keepBytes, onOversize } = this.#options;
    await clampGroupTimes(database, clock.now());
    const now = await pruningTime(database, clock.now());
    const [at, hour] = [now - keepDays * DAY_MS, Math.floor((now - KEEP_HOURS_MS) / HOUR_MS)];
    await pruneRuleCounts(database, at);
    let total = 0;
    while (!this.#closed) {
      const groups = await pruneErrorGroups(database, { at, hour, keep: MAX_OPEN_GROUPS, limit: BATCH_ROWS });
      const entries = await pruneErrorEntries(database, { at, keep, limit: BATCH_ROWS });
      const prunedBySize = await pruneErrorBytes(database, { keepBytes, limit: BATCH_ROWS });
      if (prunedBySize > 0) onOversize(prunedBySize);
      total += entries + prunedBySize;
      if (entries < BATCH_ROWS && groups < BATCH_ROWS && prunedBySize === 0) break;
      await sleep(PAUSE_MS);
    }
    return total;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await Promise.all([this.#round.idle(), this.#grouping.idle(), this.#pruning.idle()]);
  }
}
