import type { Piscina } from "piscina";
import type { Arrived, ChannelDeps, Incoming, Outgoing, Threads } from "./exchange.ts";
import { LARGE, PULL_HEAD_BYTES } from "./limits.ts";
import { mayUnpackLarge } from "./transports/gzip.ts";

/** What a thread starts with. */
export type ThreadData = { databaseUrl: string | undefined; dataDir: string };

/** A message, when it arrived, and the milliseconds it has waited since. */
export type ThreadTask = { incoming: Incoming; startedAt: number; waited: number };

export type ThreadFailure = { error: { name: string; message: string; stack?: string }; status: number };

/** The answer, and the errors to record in the error log. */
export type ThreadAnswer = { outgoing: Outgoing; failures: readonly ThreadFailure[] };

/** A thread that needs more is ended, which costs the message that it works on. */
const MAX_HEAP_MB = 1_024;
/** Most objects of a message live only as long as it is handled. More room for young objects saves a third of the garbage collection. */
const YOUNG_HEAP_MB = 64;
/** A thread without work ends after this time. */
const IDLE_MS = 10_000;

/**
 * Threads that handle large messages, so that the main thread can answer others meanwhile. They start on first use and end when idle. A
 * thread does the whole of a message: parse, lock, read, decide, apply, commit.
 */
export class MessageThreads implements Threads {
  readonly #data: ThreadData;
  readonly #most: number;
  #pool: Promise<Pool> | undefined;

  constructor(data: ThreadData, most: number) {
    this.#data = data;
    this.#most = most;
  }

  /** Rejects if the thread died or ran out of memory; then nothing was stored. */
  async handle({ recordError }: Pick<ChannelDeps, "recordError">, { incoming, startedAt, elapsed }: Arrived): Promise<Outgoing> {
    this.#pool ??= startPool(this.#data, this.#most);
    const pool = await this.#pool;
    // The library takes its type from a signature that Node's types no longer list first.
    const transferList = ownBytes(incoming) as never;
    const { outgoing, failures } = await pool.run({ incoming, startedAt, waited: elapsed() }, { transferList });
    for (const { error, status } of failures) await recordError(Object.assign(new Error(error.message), error), status);
    return outgoing;
  }

  /** Lets messages under way finish. */
  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}

type Pool = Piscina<ThreadTask, ThreadAnswer>;

/** Loads the library only when it is needed: most services get few large messages. */
async function startPool(workerData: ThreadData, maxThreads: number): Promise<Pool> {
  const { Piscina: ThreadPool } = await import("piscina");
  const pool: Pool = new ThreadPool({
    filename: new URL("message-thread.ts", import.meta.url).href,
    name: "answer",
    workerData,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    recordTiming: false,
  });
  // A thread that dies rejects its task. Without a listener its error would also end the process.
  return pool.on("error", () => {});
}

/** The memory of a large body, which is handed over instead of copied. Small bodies may share theirs with others. */
function ownBytes({ body }: Incoming): ArrayBuffer[] {
  return typeof body !== "string" && body.length >= LARGE && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
}

/** Whether a message belongs in a thread: it is large, may unpack to be large, or pulls rates, whose answer may be large. */
export function isForThread({ body, headers, opened }: Incoming): boolean {
  if (typeof body === "string" || opened) return false;
  return body.length >= LARGE || mayUnpackLarge(body, headers["content-encoding"]) || isPull(body);
}

function isPull(body: Uint8Array): boolean {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PULL_HEAD_BYTES));
  return head.includes("OTA_HotelRatePlanRQ");
}
