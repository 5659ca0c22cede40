import type { Piscina } from "piscina";
import type { ArrivedRequest, IncomingRequest, OutgoingResponse } from "./exchange.ts";
import { LARGE_MESSAGE_BYTES, PULL_HEAD_BYTES } from "./limits.ts";
import type { ChannelDeps, ThreadHandler } from "./traffic.ts";
import { mayUnpackLarge } from "./transports/gzip.ts";

export type ThreadData = { databaseUrl: string | undefined; dataDir: string };

export type ThreadTask = { incoming: IncomingRequest; startedAt: number; waited: number };

export type ThreadFailure = { error: { name: string; message: string; stack?: string }; status: number };

export type ThreadResult = { outgoing: OutgoingResponse; failures: readonly ThreadFailure[] };

/** A thread that needs more memory dies, and its message gets a 503 response. */
const MAX_THREAD_HEAP_MB = 1_024;
/** Most objects exist only while a message is handled, so a large young generation saves a third of the garbage collection time. */
const YOUNG_HEAP_MB = 64;
const IDLE_TIMEOUT_MS = 10_000;

/**
 * Handles large messages in threads, so that the main thread stays responsive. Threads start on first use and end when idle. A message is
 * handled in a single thread, from parsing to the commit.
 */
export class MessageThreads implements ThreadHandler {
  readonly #data: ThreadData;
  readonly #maxThreads: number;
  #pool: Promise<MessageThreadPool> | undefined;

  constructor(data: ThreadData, maxThreads: number) {
    this.#data = data;
    this.#maxThreads = maxThreads;
  }

  async handle(
    { recordError }: Pick<ChannelDeps, "recordError">,
    { incoming, startedAt, elapsed }: ArrivedRequest,
  ): Promise<OutgoingResponse> {
    this.#pool ??= startPool(this.#data, this.#maxThreads);
    const pool = await this.#pool;
    // The cast is needed because the library derives the type from an overload that is no longer the first in Node's types.
    const transferList = transferableBuffers(incoming) as never;
    const { outgoing, failures } = await pool.run({ incoming, startedAt, waited: elapsed() }, { transferList });
    for (const { error, status } of failures) await recordError(Object.assign(new Error(error.message), error), status);
    return outgoing;
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}

type MessageThreadPool = Piscina<ThreadTask, ThreadResult>;

/** Loads the library on first use, because most services get few large messages. */
async function startPool(workerData: ThreadData, maxThreads: number): Promise<MessageThreadPool> {
  const { Piscina: ThreadPool } = await import("piscina");
  const pool: MessageThreadPool = new ThreadPool({
    filename: new URL("message-thread.ts", import.meta.url).href,
    name: "answerTask",
    workerData,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    recordTiming: false,
  });
  // If a thread dies, its task is rejected. Without a listener, the pool's error event would also end the process.
  return pool.on("error", () => {});
}

/** Transfers large bodies instead of copying them. Small bodies may share their memory with other buffers. */
function transferableBuffers({ body }: IncomingRequest): ArrayBuffer[] {
  return typeof body !== "string" && body.length >= LARGE_MESSAGE_BYTES && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
}

/** Whether to handle a message in a thread: it is large, it may be large after unpacking, or it is a query whose response may be large. */
export function isForThread({ body, headers, opened }: IncomingRequest): boolean {
  if (typeof body === "string" || opened) return false;
  return body.length >= LARGE_MESSAGE_BYTES || mayUnpackLarge(body, headers["content-encoding"]) || mayBePull(body);
}

function mayBePull(body: Uint8Array): boolean {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PULL_HEAD_BYTES));
  return PULL_PATTERN.test(head.toString("latin1"));
}

/** Queries that may read every night of a property. */
const PULL_PATTERN = /OTA_Hotel(?:RatePlan|AvailGet|InvCount|Avail|RoomList|Product)RQ/;
