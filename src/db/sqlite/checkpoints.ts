import { Worker } from "node:worker_threads";
import type { Mutex } from "./mutex.ts";

/** Bound values between two checkpoints: about 10 MB of WAL. */
const VALUES_BETWEEN = 20_000;
const SMALL = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** Checkpoints the write-ahead log on its own thread, so that disk writes don't block the event loop. */
export class Checkpoints {
  readonly #path: string;
  readonly #mutex: Mutex;
  #thread: Worker | undefined;
  #written = 0;
  #running = false;

  constructor(path: string, mutex: Mutex) {
    this.#path = path;
    this.#mutex = mutex;
  }

  /** Call after a commit of this many values. An error in the thread becomes an unhandled rejection, which the error log records. */
  written(values: number): void {
    this.#written += values;
    if (this.#written < VALUES_BETWEEN || this.#running) return;
    this.#written = 0;
    this.#running = true;
    void this.#copy().finally(() => {
      this.#running = false;
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  /** Copies most of the log during commits, then the rest while none runs: only a fully copied log restarts. */
  async #copy(): Promise<void> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    if (!(await this.#ask(thread))) return;
    const release = await this.#mutex.acquire();
    try {
      // `close` may have ended the thread meanwhile.
      if (this.#thread === thread) await this.#ask(thread);
    } finally {
      release();
    }
  }

  /** Returns false if the thread was closed; rejects if the checkpoint failed. SQLite then checkpoints within a later commit. */
  async #ask(thread: Worker): Promise<boolean> {
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
    const thread = new Worker(new URL("checkpoint-thread.mjs", import.meta.url), { workerData: this.#path, resourceLimits: SMALL });
    thread.unref();
    // `#ask` reports errors. Without this listener, an error at any other time would end the process.
    return thread
      .on("error", () => {})
      .on("exit", () => {
        this.#thread = undefined;
      });
  }
}
