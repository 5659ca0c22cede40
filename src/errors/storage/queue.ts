import { setImmediate as nextTurn } from "node:timers/promises";
import { stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { Single } from "../single.ts";
import { within } from "../within.ts";
import { totalBytes } from "./row-size.ts";
import { Spool } from "./spool.ts";
import { createErrorEntries, findErrorId, type NewErrorRow, takeInErrorEntries } from "./store.ts";
import type { Telling } from "./tally-store.ts";

const FLUSH_AFTER_MS = 100;
/** Entries are stored as soon as there are as many, or as many bytes. */
const BATCH = { rows: 512, bytes: 4 * 2 ** 20 };
/** From here on whoever records waits, so that a flood is slowed down instead of filling the memory. */
const CROWDED = { rows: 1_500, bytes: 8 * 2 ** 20 };
/** From here on entries go to the spool: the database takes nothing any more. */
const FULL = { rows: 3_000, bytes: 16 * 2 ** 20 };
const WAIT_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 3_000;
const RETRY_MS = 2_000;

type Pending = { row: NewErrorRow; settle: ((id: number | undefined) => void) | undefined };

/** The spool is in `dataDir` and has at most `spoolBytes`; `lose` receives the number of entries it had no room for, `onStored` the bytes the database took. */
type QueueOptions = {
  database: Database;
  dataDir: string;
  spoolBytes: number;
  telling: Telling;
  lose(count: number): void;
  onStored(bytes: number): void;
};

/** The process log, as far as it is told of entries that wait. */
export type SpoolLog = { warn(error: unknown, words: string): void; info(words: string): void };

/**
 * The way of entries into the database: in batches a moment after they came, in the order in which they came.
 * What the database cannot take waits in the spool, and is handed to it again and again.
 */
export class ErrorQueue {
  readonly #database: Database;
  readonly #telling: Telling;
  readonly #spool: Spool;
  readonly #onStored: (bytes: number) => void;
  readonly #retryTimer: NodeJS.Timeout;
  readonly #elapsed = stopwatch();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #storing: NewErrorRow[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #asked = false;
  readonly #takingIn = new Single(() => this.#takeIn());
  #triedAt = Number.NEGATIVE_INFINITY;
  #log: SpoolLog | undefined;
  /** The log knows that entries wait. */
  #told = false;

  constructor({ database, dataDir, spoolBytes, telling, lose, onStored }: QueueOptions) {
    this.#database = database;
    this.#telling = telling;
    this.#onStored = onStored;
    this.#spool = new Spool(dataDir, { limit: spoolBytes, lose });
    this.#retryTimer = setInterval(() => void this.takeIn(), RETRY_MS).unref();
    void this.takeIn();
  }

  /** From now on `log` is told when entries begin to wait for the database, and when none does any more. */
  tellTo(log: SpoolLog): void {
    this.#log = log;
  }

  /** So many wait that whoever adds one more should wait, too. */
  get crowded(): boolean {
    return this.#holds(CROWDED);
  }

  /** `settle` is told the id that the row was given, or undefined while it waits in the spool. */
  add(row: NewErrorRow, settle?: Pending["settle"]): void {
    this.#pending.push({ row, settle });
    this.#pendingBytes += row.bytes;
    if (this.#holds(FULL)) this.#spoolPending();
    if (this.#holds(BATCH)) void this.flush();
    else this.#flushTimer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  #holds({ rows, bytes }: typeof FULL): boolean {
    return this.#pending.length >= rows || this.#pendingBytes >= bytes;
  }

  /** Takes up to `count` rows out of the queue. */
  #takePending(count: number): Pending[] {
    const batch = this.#pending.splice(0, count);
    for (const { row } of batch) this.#pendingBytes -= row.bytes;
    return batch;
  }

  /** Resolves to the id that the row was given; undefined when that takes too long. Never rejects. */
  async addAndWait(row: NewErrorRow): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.add(row, resolve);
    void this.flush();
    return within(WAIT_LIMIT_MS, promise);
  }

  /** Resolves when everything added before is in the database, or in the spool. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#asked = this.#pending.length > 0;
    if (this.#asked) this.#flushing ??= this.#drain();
    return this.#flushing ?? Promise.resolve();
  }

  /** What was added up to now can be read after this, unless the database is away or a flood takes longer. */
  async settle(): Promise<void> {
    const settled = this.#spool.filled ? this.flush().then(() => this.takeIn()) : this.flush();
    await within(WAIT_LIMIT_MS, settled);
  }

  /** Hands the spool to the database. Never rejects: what cannot be taken in stays where it is. */
  takeIn(): Promise<void> {
    return this.#takingIn.run();
  }

  /** Puts everything into the spool before it returns. What is being stored, too: should the database have taken it, it is not taken in again. */
  spoolAll(): void {
    this.#spool.append(this.#storing);
    this.#spoolPending();
  }

  /** Stores what is left, with what comes meanwhile, and stops. What the database does not take in time goes to the spool. */
  async close(): Promise<void> {
    clearInterval(this.#retryTimer);
    const stored = this.#flushAll().then(() => this.#takingIn.rest());
    await within(CLOSE_LIMIT_MS, stored);
    this.spoolAll();
  }

  async #flushAll(): Promise<void> {
    do await this.flush();
    while (this.#pending.length > 0);
  }

  /** What comes in meanwhile waits for its own batch, unless somebody asks for it: a commit for a few entries costs as much as for many. */
  async #drain(): Promise<void> {
    while (this.#asked) {
      this.#asked = false;
      for (let left = this.#pending.length; left > 0; left -= BATCH.rows) await this.#storeBatch();
    }
    this.#flushing = undefined;
  }

  async #storeBatch(): Promise<void> {
    const batch = this.#takePending(BATCH.rows);
    const stored = await this.#store(batch.map(({ row }) => row));
    for (const { row, settle } of batch) if (settle) settle(stored ? await this.#findId(row) : undefined);
    await nextTurn();
  }

  /** Undefined when the database went away just now. */
  async #findId(row: NewErrorRow): Promise<number | undefined> {
    return findErrorId(this.#database, row).catch(() => undefined);
  }

  /** Whether the database took them; else they wait in the spool. What waits there already is stored first. */
  async #store(rows: NewErrorRow[]): Promise<boolean> {
    this.#storing = rows;
    try {
      if (this.#spool.filled && this.#elapsed() - this.#triedAt > RETRY_MS) await this.takeIn();
      if (!this.#spool.filled) {
        await createErrorEntries(this.#database, rows, this.#telling);
        this.#onStored(totalBytes(rows));
        return true;
      }
      this.#spool.append(rows);
    } catch (error) {
      this.#noteFault(error);
      this.#spool.append(rows);
    } finally {
      this.#storing = [];
    }
    return false;
  }

  async #takeIn(): Promise<void> {
    if (!this.#spool.filled) return;
    try {
      await this.#spool.takeIn(async (rows) => {
        await takeInErrorEntries(this.#database, rows, this.#telling);
        this.#onStored(totalBytes(rows));
      });
      if (this.#told && !this.#spool.filled) this.#tellStored();
    } catch (error) {
      this.#noteFault(error);
    }
  }

  #noteFault(error: unknown): void {
    this.#triedAt = this.#elapsed();
    if (this.#told || !this.#log) return;
    this.#told = true;
    this.#log.warn(error, "errors wait in DATA_DIR, as the database does not take them");
  }

  #tellStored(): void {
    this.#told = false;
    this.#log?.info("the errors that waited are stored");
  }

  #spoolPending(): void {
    const batch = this.#takePending(FULL.rows);
    this.#spool.append(batch.map(({ row }) => row));
    for (const { settle } of batch) settle?.(undefined);
  }
}
