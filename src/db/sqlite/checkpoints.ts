import { Worker } from "node:worker_threads";
import type { Mutex } from "./mutex.ts";

/** Number of bound values between checkpoints, about 10 MB of WAL. */
const CHECKPOINT_AFTER_VALUES = 20_000;
const SMALL_HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** Checkpoints the write-ahead log on a separate thread, because disk writes would block the event loop. */
export class Checkpoints {
  readonly #path: string;
  readonly #mutex: Mutex;
  #thread: Worker | undefined;
  #valueCount = 0;
  #running = false;

  constructor(path: string, mutex: Mutex) {
    this.#path = path;
    this.#mutex = mutex;
  }

  /** Call after each commit with the number of values it wrote. Errors become unhandled rejections, which the error log records. */
  countValues(values: number): void {
    this.#valueCount += values;
    if (this.#valueCount < CHECKPOINT_AFTER_VALUES || this.#running) return;
    this.#valueCount = 0;
    this.#running = true;
    void this.#copy().finally(() => {
      this.#running = false;
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  /** Copies most of the log during commits, then the rest between commits, because the log restarts only once it is fully copied. */
  async #copy(): Promise<void> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    if (!(await this.#request(thread))) return;
    const release = await this.#mutex.acquire();
    try {
      // `close` may have stopped the thread in the meantime.
      if (this.#thread === thread) await this.#request(thread);
    } finally {
      release();
    }
  }

  /** Resolves to false if the thread was closed. Rejects if the checkpoint failed; SQLite then checkpoints during a later commit. */
  async #request(thread: Worker): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const [done, ended] = [() => resolve(true), () => resolve(false)];
    thread.on("message", done).on("exit", ended).on("error", reject).postMessage("copy");
    try {
      return await promise;
    } finally {
      thread.off("message", done).off("exit", ended).off("error", reject);
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL("checkpoint-thread.mjs", import.meta.url), { workerData: this.#path, resourceLimits: SMALL_HEAP });
    thread.unref();
    // `#request` reports errors. Without this listener, an error at any other time would end the process.
    return thread
      .on("error", () => {})
      .on("exit", () => {
        this.#thread = undefined;
      });
  }
}
