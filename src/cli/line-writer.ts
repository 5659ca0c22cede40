import { write, writeSync } from "node:fs";

/** Lines are written together once there is this much, in characters, or after this time: a write for each costs more than a page. */
const BATCH_LENGTH = 16_000;
const WRITE_AFTER_MS = 500;
/** If the reader of the lines stops, lines beyond this are dropped, so that they do not fill the memory. */
const WAITING_LENGTH = 4 * 1024 * 1024;
/** When a full pipe is tried again; at the end of the process it is tried only so often. */
const RETRY_MS = 20;
const LAST_TRIES = 10;

/**
 * Writes lines to a file descriptor, in batches, without holding up the event loop or the end of the process. If writing
 * fails, as on a full disk, it tries again as long as the process lives.
 */
export class LineWriter {
  readonly #descriptor: number;
  #waiting = "";
  #batch = Buffer.alloc(0);
  #state: "idle" | "writing" | "paused" = "idle";

  /** A pipe must not block, or a write to it would keep the process from ending. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    setInterval(() => this.#flush(), WRITE_AFTER_MS).unref();
    process.on("exit", () => this.#flushLast());
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > WAITING_LENGTH) return;
    this.#waiting += line;
    if (this.#waiting.length >= BATCH_LENGTH) this.#flush();
  }

  #flush(): void {
    if (this.#state !== "idle" || !this.#hasBatch()) return;
    this.#state = "writing";
    write(this.#descriptor, this.#batch, (error, count) => (error ? this.#pause(error) : this.#wrote(count)));
  }

  #wrote(count: number): void {
    this.#state = "idle";
    this.#batch = this.#batch.subarray(count);
    if (this.#batch.length > 0 || this.#waiting.length >= BATCH_LENGTH) this.#flush();
  }

  #pause(error: NodeJS.ErrnoException): void {
    this.#state = "paused";
    const resume = () => {
      this.#state = "idle";
      this.#flush();
    };
    setTimeout(resume, isFull(error) ? RETRY_MS : WRITE_AFTER_MS).unref();
  }

  #hasBatch(): boolean {
    if (this.#batch.length === 0 && this.#waiting !== "") {
      this.#batch = Buffer.from(this.#waiting);
      this.#waiting = "";
    }
    return this.#batch.length > 0;
  }

  #flushLast(): void {
    if (this.#state === "writing") return;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < LAST_TRIES && this.#hasBatch();) {
      try {
        this.#batch = this.#batch.subarray(writeSync(this.#descriptor, this.#batch));
      } catch (error) {
        if (!isFull(error as NodeJS.ErrnoException)) return;
        tries++;
        Atomics.wait(pause, 0, 0, RETRY_MS);
      }
    }
  }
}

/** A pipe has no room. */
function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === "EAGAIN";
}
