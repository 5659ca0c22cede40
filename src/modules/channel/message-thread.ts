import Piscina from "piscina";
import { stopwatch, systemClock } from "../../clock.ts";
import { THREAD_CONNECTIONS } from "../../db/connections.ts";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/open.ts";
import type { IncomingRequest } from "./exchange.ts";
import { answerArrived } from "./handle.ts";
import type { ThreadResult, ThreadData, ThreadTask, ThreadFailure } from "./message-threads.ts";
import { messages } from "./messages/index.ts";
import { type ChannelDeps, ChannelTraffic } from "./traffic.ts";

/** Runs in each thread of `MessageThreads`: handles messages as the main thread does, but with its own database connection. */
const { databaseUrl, dataDir } = Piscina.workerData as ThreadData;
const traffic = new ChannelTraffic();
let opened: Database | undefined;

/** Opens the database on the first message, not at the start, because a thread that fails to start would be restarted forever. */
async function openThreadDatabase(): Promise<Database> {
  return (opened ??= await openDatabase(databaseUrl, dataDir, { limits: THREAD_CONNECTIONS }));
}

export async function answerTask({ incoming, startedAt, waited }: ThreadTask): Promise<ThreadResult> {
  const sinceTaken = stopwatch();
  const failures: ThreadFailure[] = [];
  const deps: ChannelDeps = {
    database: await openThreadDatabase(),
    clock: systemClock,
    messages,
    traffic,
    recordError: async (error, status) => void failures.push({ error: describeError(error), status }),
  };
  const outgoing = await answerArrived(deps, { incoming: withBuffer(incoming), startedAt, elapsed: () => waited + sinceTaken() });
  return { outgoing, failures };
}

/** Converts the body back to a `Buffer`, because it arrives as a plain `Uint8Array`, which is much slower to search. */
function withBuffer(incoming: IncomingRequest): IncomingRequest {
  const { body } = incoming;
  return typeof body === "string" ? incoming : { ...incoming, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

/** Copies an error's fields to a plain object, because errors lose their class and custom fields when passed between threads. */
function describeError(error: unknown): ThreadFailure["error"] {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  return { name, message, ...(stack !== undefined && { stack }) };
}
