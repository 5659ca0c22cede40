import { Worker } from "node:worker_threads";
import type { Mutex } from "./mutex.ts";

/** Values written between two checkpoints: about 10 MB of log. */
const VALUES_BETWEEN = 20_000;
const SMALL = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** Copies the write-ahead log into the database on its own thread, so that neither copying nor the disk holds up the event loop. */
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

  /** Notes that so many values were committed. A fault of the thread is a rejection that nobody handles, and so in the error log. */
  wrote(values: number): void {
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

  /** Copies most of the log beside the commits, then the rest while there are none: only a fully copied log restarts. */
  async #copy(): Promise<void> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    if (!(await this.#ask(thread))) return;
    const release = await this.#mutex.acquire();
    try {
      // Whoever closes the database ends the thread, which then answers nobody.
      if (this.#thread === thread) await this.#ask(thread);
    } finally {
      release();
    }
  }

  /**
   * Answers whether the thread did it, and rejects with its fault, such as a disk that is full. In both cases SQLite does it within a commit
   * when the log is somewhat longer.
   */
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
    // A fault is told by what was asked; without this, one while nothing is asked would end the service.
    return thread
      .on("error", () => {})
      .on("exit", () => {
        this.#thread = undefined;
      });
  }
}
