import { write, writeSync } from "node:fs";
import type { FastifyServerOptions } from "fastify";
import type { Config } from "../config.ts";

const STANDARD_OUTPUT = 1;

export function loggerOptions({ values }: Config): FastifyServerOptions["logger"] {
  const level = values.LOG_LEVEL;
  // Reading `process.stdout` makes Node open it and switch pipes to non-blocking mode.
  const isTerminal = process.stdout.isTTY && values.NODE_ENV === "development";
  return isTerminal
    ? { level, transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } }
    : { level, stream: new LineWriter(STANDARD_OUTPUT) };
}

/** A batch is written after this many characters or this many milliseconds, because each write takes longer than rendering a page. */
const MAX_BATCH_LENGTH = 16_000;
const WRITE_AFTER_MS = 500;
/** If the reader stops reading, output beyond this many characters is dropped. */
const MAX_PENDING_CHARACTERS = 4 * 1024 * 1024;
/** Retry interval for a full pipe. On exit, it is retried `EXIT_RETRIES` times. */
const RETRY_DELAY_MS = 20;
const EXIT_RETRIES = 10;

/** Writes lines without blocking the event loop or process exit. Retries failed writes, for example on a full disk. */
export class LineWriter {
  readonly #descriptor: number;
  #pending = "";
  #batch = Buffer.alloc(0);
  #state: "idle" | "writing" | "paused" = "idle";

  /** Pipes must be non-blocking; otherwise a write could prevent the process from exiting. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    setInterval(() => this.#flush(), WRITE_AFTER_MS).unref();
    process.on("exit", () => this.#flushOnExit());
  }

  write(line: string): void {
    if (this.#pending.length + line.length > MAX_PENDING_CHARACTERS) return;
    this.#pending += line;
    if (this.#pending.length >= MAX_BATCH_LENGTH) this.#flush();
  }

  #flush(): void {
    if (this.#state !== "idle" || !this.#hasBatch()) return;
    this.#state = "writing";
    write(this.#descriptor, this.#batch, (error, count) => (error ? this.#pause(error) : this.#advance(count)));
  }

  #advance(count: number): void {
    this.#state = "idle";
    this.#batch = this.#batch.subarray(count);
    if (this.#batch.length > 0 || this.#pending.length >= MAX_BATCH_LENGTH) this.#flush();
  }

  #pause(error: NodeJS.ErrnoException): void {
    this.#state = "paused";
    const resumeWriting = () => {
      this.#state = "idle";
      this.#flush();
    };
    setTimeout(resumeWriting, isPipeFull(error) ? RETRY_DELAY_MS : WRITE_AFTER_MS).unref();
  }

  #hasBatch(): boolean {
    if (this.#batch.length === 0 && this.#pending !== "") {
      this.#batch = Buffer.from(this.#pending);
      this.#pending = "";
    }
    return this.#batch.length > 0;
  }

  #flushOnExit(): void {
    if (this.#state === "writing") return;
    const pauseBuffer = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < EXIT_RETRIES && this.#hasBatch();) {
      try {
        this.#batch = this.#batch.subarray(writeSync(this.#descriptor, this.#batch));
      } catch (error) {
        if (!isPipeFull(error as NodeJS.ErrnoException)) return;
        tries++;
        Atomics.wait(pauseBuffer, 0, 0, RETRY_DELAY_MS);
      }
    }
  }
}

function isPipeFull({ code }: NodeJS.ErrnoException): boolean {
  return code === "EAGAIN";
}
