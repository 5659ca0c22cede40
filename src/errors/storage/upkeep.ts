import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { pruningTime } from "../../db/pruning-time.ts";
import { Single } from "../single.ts";
import { pruneDrops } from "./drop-store.ts";
import { pruneErrorBytes, pruneErrorEntries, pruneErrorGroups } from "./prune-store.ts";
import { endMutes, pullBackGroups } from "./state-store.ts";
import { groupSome, hasUngrouped } from "./ungrouped-store.ts";

const EVERY_MS = 60_000;
const BATCH = 500;
const PAUSE_MS = 20;
/** Strangers may report what is like nothing else: more open groups than anyone looks through are not kept. */
const GROUPS_KEPT = 10_000;
/** One more than are shown. */
const HOURS_KEPT_MS = 29 * DAY_MS;

/** Part of the byte budget that may be recorded before the log is pruned again, without waiting for the next round. */
const UNPRUNED = 0.01;

/** `keepBytes` is the maximum size of the log; `onOversize` receives the number of entries that were deleted to keep to it. */
export type UpkeepOptions = {
  database: Database;
  clock: Clock;
  keepDays: number;
  keep: number;
  keepBytes: number;
  onOversize(count: number): void;
};

/** What is done for the error log beside the traffic, in small steps with pauses; each thing once at a time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #round = new Single(() => this.#run());
  readonly #pruning = new Single(() => this.#prune());
  readonly #grouping = new Single(() => this.#group().catch(() => {}));
  #unprunedBytes = 0;
  #closed = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#round.run(), EVERY_MS).unref();
    void this.group();
  }

  async #run(): Promise<void> {
    await this.group();
    if (this.#closed) return;
    const { database, clock } = this.#options;
    await endMutes(database, clock.now()).catch(() => {});
    await this.prune().catch(() => {});
  }

  /** Finds groups for entries that have none. Never rejects: what is left waits for the next time. */
  group(): Promise<void> {
    return this.#grouping.run();
  }

  async #group(): Promise<void> {
    const { database } = this.#options;
    while (!this.#closed && (await hasUngrouped(database))) {
      await groupSome(database);
      await sleep(PAUSE_MS);
    }
  }

  /** Deletes what is older or more than is kept. Answers how many entries went. */
  prune(): Promise<number> {
    return this.#pruning.run();
  }

  /** Prunes early if much was recorded: a flood fills the budget in less time than there is between two rounds. */
  noteStored(bytes: number): void {
    this.#unprunedBytes += bytes;
    if (this.#closed || this.#unprunedBytes < this.#options.keepBytes * UNPRUNED) return;
    this.#unprunedBytes = 0;
    void this.prune().catch(() => {});
  }

  async #prune(): Promise<number> {
    const { database, clock, keepDays, keep, keepBytes, onOversize } = this.#options;
    await pullBackGroups(database, clock.now());
    const reached = await pruningTime(database, clock.now());
    const [at, hour] = [reached - keepDays * DAY_MS, Math.floor((reached - HOURS_KEPT_MS) / HOUR_MS)];
    await pruneDrops(database, at);
    let total = 0;
    while (!this.#closed) {
      const groups = await pruneErrorGroups(database, { at, hour, keep: GROUPS_KEPT, limit: BATCH });
      const entries = await pruneErrorEntries(database, { at, keep, limit: BATCH });
      const oversize = await pruneErrorBytes(database, { keepBytes, limit: BATCH });
      if (oversize > 0) onOversize(oversize);
      total += entries + oversize;
      if (entries < BATCH && groups < BATCH && oversize === 0) break;
      await sleep(PAUSE_MS);
    }
    return total;
  }

  /** Ends after the step under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await Promise.all([this.#round.rest(), this.#grouping.rest(), this.#pruning.rest()]);
  }
}
