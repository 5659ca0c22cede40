import { write, writeSync } from "node:fs";
import type { FastifyServerOptions } from "fastify";
import type { Config } from "../config.ts";

const STANDARD_OUTPUT = 1;

export function loggerOptions({ values }: Config): FastifyServerOptions["logger"] {
  const level = values.LOG_LEVEL;
  // Node opens the stream on first access, and makes a pipe non-blocking.
  const isTerminal = process.stdout.isTTY && values.NODE_ENV === "development";
  return isTerminal
    ? { level, transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } }
    : { level, stream: new LineWriter(STANDARD_OUTPUT) };
}

/** Lines are written in batches of this many characters or after this time, because one write costs more than a page. */
const BATCH_LENGTH = 16_000;
const WRITE_AFTER_MS = 500;
/** More characters than this are dropped if the reader stops reading. */
const MAX_PENDING = 4 * 1024 * 1024;
/** A full pipe is retried at this interval, and only `LAST_TRIES` times when the process ends. */
const RETRY_MS = 20;
const LAST_TRIES = 10;

/** Writes lines without blocking the event loop or the exit of the process. Retries failed writes, such as on a full disk. */
export class LineWriter {
  readonly #descriptor: number;
  #pending = "";
  #batch = Buffer.alloc(0);
  #state: "idle" | "writing" | "paused" = "idle";

  /** A pipe must be non-blocking; otherwise a write could keep the process from ending. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    setInterval(() => this.#flush(), WRITE_AFTER_MS).unref();
    process.on("exit", () => this.#flushLast());
  }

  write(line: string): void {
    if (this.#pending.length + line.length > MAX_PENDING) return;
    this.#pending += line;
    if (this.#pending.length >= BATCH_LENGTH) this.#flush();
  }

  #flush(): void {
    if (this.#state !== "idle" || !this.#hasBatch()) return;
    this.#state = "writing";
    write(this.#descriptor, this.#batch, (error, count) => (error ? this.#pause(error) : this.#advance(count)));
  }

  #advance(count: number): void {
    this.#state = "idle";
    this.#batch = this.#batch.subarray(count);
    if (this.#batch.length > 0 || this.#pending.length >= BATCH_LENGTH) this.#flush();
  }

  #pause(error: NodeJS.ErrnoException): void {
    this.#state = "paused";
    const resume = () => {
      this.#state = "idle";
      this.#flush();
    };
    setTimeout(resume, isPipeFull(error) ? RETRY_MS : WRITE_AFTER_MS).unref();
  }

  #hasBatch(): boolean {
    if (this.#batch.length === 0 && this.#pending !== "") {
      this.#batch = Buffer.from(this.#pending);
      this.#pending = "";
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
        if (!isPipeFull(error as NodeJS.ErrnoException)) return;
        tries++;
        Atomics.wait(pause, 0, 0, RETRY_MS);
      }
    }
  }
}

function isPipeFull({ code }: NodeJS.ErrnoException): boolean {
  return code === "EAGAIN";
}
