import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { DAY_MS } from "../../calendar/night.ts";
import { type Clock, stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { ErrorRecorder, ErrorReference } from "../../web/error-recorder.ts";
import { describeThrown, statusOf } from "./describe-error.ts";
import { seeRequest } from "./describe-request.ts";
import type { ErrorEntry, NewErrorEntry } from "./entry.ts";
import { fallbackEntry, toRow } from "./row.ts";
import { Spool } from "./spool.ts";
import {
  createErrorEntries,
  type ErrorFilter,
  type ErrorPage,
  type ErrorSlice,
  findErrorEntry,
  findErrorId,
  listErrorEntries,
  type NewErrorRow,
  pruneErrorEntries,
  takeInErrorEntries,
} from "./store.ts";

const FLUSH_AFTER_MS = 100;
const BATCH = 512;
/** From here on whoever records waits, so that a flood is slowed down instead of filling the memory. */
const CROWDED = 1_500;
/** From here on entries go to the spool: the database takes nothing any more. */
const FULL = 3_000;
const WAIT_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 3_000;
const RETRY_MS = 2_000;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_BATCH = 500;
const PRUNE_PAUSE_MS = 20;

export type ErrorLogOptions = {
  database: Database;
  clock: Clock;
  /** Where entries wait in a file while the database cannot be written. */
  dataDir: string;
  keepDays: number;
  /** Number of entries that are kept. */
  keep: number;
};

type Describe = () => NewErrorEntry;
type Pending = { row: NewErrorRow; settle: ((id: number | undefined) => void) | undefined };

/**
 * The error log of this process. An entry is described at once, for a request that is kept until later costs more than its text;
 * entries are stored in batches a moment later, in the order in which they were recorded. What the database cannot take waits in the spool.
 */
export class ErrorLog implements ErrorRecorder {
  readonly #options: ErrorLogOptions;
  readonly #spool: Spool;
  readonly #timers: NodeJS.Timeout[];
  #pending: Pending[] = [];
  #storing: NewErrorRow[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #asked = false;
  #takingIn: Promise<void> | undefined;
  readonly #elapsed = stopwatch();
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ErrorLogOptions) {
    this.#options = options;
    this.#spool = new Spool(options.dataDir);
    this.#timers = [
      setInterval(() => void this.takeIn(), RETRY_MS).unref(),
      setInterval(() => void this.prune().catch(() => {}), PRUNE_EVERY_MS).unref(),
    ];
    void this.takeIn();
  }

  /** `status` is what the client is answered, where the error does not say it. From 500 on the id is waited for. Never rejects. */
  async record(error: unknown, request: FastifyRequest | undefined, status?: number): Promise<ErrorReference> {
    const at = this.#options.clock.now();
    try {
      const seen = request && seeRequest(request);
      const answered = status ?? statusOf(error);
      const describe = () => describeThrown({ error, at, status: answered, seen });
      if (answered >= 500 || this.#pending.length >= CROWDED) return { id: await this.#addAndWait(describe, at) };
      this.add(describe, at);
    } catch (fault) {
      this.add(() => fallbackEntry(fault, at), at);
    }
    return { id: undefined };
  }

  /** Takes the entry that `describe` makes; `settle` is told its id, or undefined while it waits in the spool. */
  add(describe: Describe, at: number, settle?: (id: number | undefined) => void): void {
    this.#pending.push({ row: describeRow(describe, at), settle });
    if (this.#pending.length >= FULL) this.#spoolPending();
    if (this.#pending.length >= BATCH) void this.flush();
    else this.#flushTimer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Records the error that ends the process, and all that was still to be stored, before returning. */
  recordFatal(error: unknown): void {
    const at = this.#options.clock.now();
    const row = describeRow(() => describeThrown({ error, at, status: 500, seen: undefined }), at);
    this.#pending.push({ row, settle: undefined });
    this.#spoolAll();
  }

  /** Resolves when everything recorded before is in the database, or in the spool. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#asked = this.#pending.length > 0;
    if (this.#asked) this.#flushing ??= this.#drain();
    return this.#flushing ?? Promise.resolve();
  }

  async list(filter: ErrorFilter, slice: ErrorSlice): Promise<ErrorPage> {
    await this.#settle();
    return listErrorEntries(this.#options.database, filter, slice);
  }

  async find(id: number): Promise<ErrorEntry | undefined> {
    await this.#settle();
    return findErrorEntry(this.#options.database, id);
  }

  /** Hands the spool to the database. Never rejects: what cannot be taken in stays where it is. */
  takeIn(): Promise<void> {
    return (this.#takingIn ??= this.#takeIn().finally(() => {
      this.#takingIn = undefined;
    }));
  }

  /** Deletes what is older or more than is kept, in small batches with pauses. Answers how many entries went. */
  async prune(): Promise<number> {
    const { database, clock, keepDays, keep } = this.#options;
    for (let total = 0; ; await sleep(PRUNE_PAUSE_MS, undefined, { ref: false })) {
      const gone = await pruneErrorEntries(database, { at: clock.now() - keepDays * DAY_MS, keep, limit: PRUNE_BATCH });
      total += gone;
      if (gone < PRUNE_BATCH) return total;
    }
  }

  /** Stores what is left and stops. The database has to be open still; what it does not take in time goes to the spool. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const stored = this.flush().then(() => this.#takingIn);
    await Promise.race([stored, sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
    this.#spoolAll();
  }

  async #addAndWait(describe: Describe, at: number): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.add(describe, at, resolve);
    void this.flush();
    return Promise.race([promise, sleep(WAIT_LIMIT_MS, undefined, { ref: false })]);
  }

  /** What was recorded up to now can be read after this, unless the database is away or a flood takes longer. */
  async #settle(): Promise<void> {
    const settled = this.#spool.filled ? this.flush().then(() => this.takeIn()) : this.flush();
    await Promise.race([settled, sleep(WAIT_LIMIT_MS, undefined, { ref: false })]);
  }

  /** What comes in meanwhile waits for its own batch, unless somebody asks for it: a commit for a few entries costs as much as for many. */
  async #drain(): Promise<void> {
    while (this.#asked) {
      this.#asked = false;
      for (let left = this.#pending.length; left > 0; left -= BATCH) await this.#storeBatch();
    }
    this.#flushing = undefined;
  }

  async #storeBatch(): Promise<void> {
    const batch = this.#pending.splice(0, BATCH);
    const stored = await this.#store(batch.map(({ row }) => row));
    for (const { row, settle } of batch) if (settle) settle(stored ? await this.#findId(row) : undefined);
    await new Promise(setImmediate);
  }

  /** Undefined when the database went away just now. */
  async #findId(row: NewErrorRow): Promise<number | undefined> {
    return findErrorId(this.#options.database, row).catch(() => undefined);
  }

  /** Whether the database took them; else they wait in the spool. What waits there already is stored first. */
  async #store(rows: NewErrorRow[]): Promise<boolean> {
    this.#storing = rows;
    try {
      if (this.#spool.filled && this.#elapsed() - this.#triedAt > RETRY_MS) await this.takeIn();
      if (!this.#spool.filled) {
        await createErrorEntries(this.#options.database, rows);
        return true;
      }
      this.#spool.append(rows);
    } catch {
      this.#triedAt = this.#elapsed();
      this.#spool.append(rows);
    } finally {
      this.#storing = [];
    }
    return false;
  }

  async #takeIn(): Promise<void> {
    if (!this.#spool.filled) return;
    try {
      await this.#spool.takeIn((rows) => takeInErrorEntries(this.#options.database, rows));
    } catch {
      this.#triedAt = this.#elapsed();
    }
  }

  /** What is being stored, too: should the database have taken it, it is not taken in again. */
  #spoolAll(): void {
    this.#spool.append(this.#storing);
    this.#spoolPending();
  }

  #spoolPending(): void {
    const batch = this.#pending.splice(0);
    this.#spool.append(batch.map(({ row }) => row));
    for (const { settle } of batch) settle?.(undefined);
  }
}

/** Whatever was thrown, its entry is made: a fault in describing it is described instead. */
function describeRow(describe: Describe, at: number): NewErrorRow {
  try {
    return toRow(describe());
  } catch (error) {
    return toRow(fallbackEntry(error, at));
  }
}
