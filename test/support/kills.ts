import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/db/open.ts";
import { Connection, connectToWorkers } from "./connection.ts";
import type { Settings } from "./process.ts";
import { countMessage, countsPath, readCounts } from "./seeded-place.ts";
import { until } from "./until.ts";

export const SENDERS = 16;
const MESSAGES_BETWEEN = 5;
/** A sender moves to the next night after this many counts. */
const COUNTS_PER_NIGHT = 9_000;
const RETRY_MS = 50;

export type Victim = { origin: string; kill(): Promise<unknown>; stop(): Promise<unknown> };

export type KillPlan = {
  start(): Promise<Victim>;
  settings: Settings;
  workers: number;
  kills: number;
  /** Milliseconds that a sender waits after each acknowledged message. By default, it doesn't wait. */
  pause?: number;
  onKill?(done: number, acknowledged: number): void;
  beforeKill?(): Promise<void>;
  /** Runs after the senders have stopped, but before the service stops. */
  beforeStop?(): Promise<void>;
};

export type KillReport = { acknowledged: number; lost: readonly string[] };

/** Kills a service repeatedly while messages arrive, and checks that all acknowledged messages are stored. */
export async function killRepeatedly(plan: KillPlan): Promise<KillReport> {
  const { start, settings, workers, kills, pause = 0, onKill, beforeKill, beforeStop } = plan;
  let victim = await start();
  const { origin } = victim;
  const senders = Array.from({ length: SENDERS }, (_, property) => new Sender(property, { origin, pause }));
  const lost: string[] = [];
  let oldest: number[] = [];
  try {
    for (let done = 1; done <= kills; done++) {
      await untilStored(senders, MESSAGES_BETWEEN);
      await beforeKill?.();
      if (workers === 1) {
        await victim.kill();
        victim = await start();
      } else {
        oldest = await killWorker(origin, workers, oldest);
      }
      lost.push(...(await missingCounts(senders, origin)));
      onKill?.(done, acknowledgedBy(senders));
    }
  } finally {
    await Promise.all(senders.map((sender) => sender.stop()));
  }
  lost.push(...(await missingCounts(senders, origin)));
  await beforeStop?.();
  await victim.stop();
  lost.push(...(await missingMessages(senders, settings)));
  return { acknowledged: acknowledgedBy(senders), lost };
}

class Sender {
  readonly property: number;
  readonly ids: number[] = [];
  /** The highest acknowledged count for any night. */
  acknowledged = 0;
  readonly #connection: Connection;
  readonly #pause: number;
  readonly #ended: Promise<void>;
  #stopping = false;

  constructor(property: number, { origin, pause }: { origin: string; pause: number }) {
    this.property = property;
    this.#pause = pause;
    this.#connection = new Connection(origin);
    this.#ended = this.#run();
  }

  stop(): Promise<void> {
    this.#stopping = true;
    return this.#ended;
  }

  /** A failed message may have been stored, so the next message has a higher count. */
  async #run(): Promise<void> {
    for (let count = 1; !this.#stopping; count++) {
      const text = countMessage(this.property, { days: Math.floor(count / COUNTS_PER_NIGHT), count: count % COUNTS_PER_NIGHT });
      const answer = await this.#connection.post("/channel", { type: "application/xml", text }).catch(() => undefined);
      if (answer?.text.includes("<Success/>")) {
        this.acknowledged = count;
        this.ids.push(Number(answer.headers["x-message-id"]));
        if (this.#pause > 0) await sleep(this.#pause);
      } else {
        await sleep(RETRY_MS);
      }
    }
    this.#connection.close();
  }
}

async function untilStored(senders: readonly Sender[], messages: number): Promise<void> {
  const before = senders.map(({ ids }) => ids.length);
  const waiting = () => senders.filter(({ ids }, index) => ids.length < before[index]! + messages);
  const names = () =>
    waiting()
      .map(({ property }) => property)
      .join(", ");
  await until(
    () => `answers to the senders of the properties ${names()}`,
    () => waiting().length === 0,
  );
}

/** Kills the oldest worker and waits for its replacement. Takes and returns the workers' process ids, oldest first. */
async function killWorker(origin: string, workers: number, known: readonly number[]): Promise<number[]> {
  const before = await liveWorkers(origin, workers);
  const order = [...known.filter((pid) => before.includes(pid)), ...before.filter((pid) => !known.includes(pid))];
  const [oldest, ...others] = order;
  process.kill(oldest!, "SIGKILL");
  const after = await liveWorkers(origin, workers);
  return [...others, ...after.filter((pid) => !others.includes(pid))];
}

async function liveWorkers(origin: string, workers: number): Promise<number[]> {
  const found = await connectToWorkers(origin, workers);
  for (const { connection } of found) connection.close();
  return found.map(({ pid }) => pid);
}

/** Describes each property whose last acknowledged count is not stored. A higher stored count is from a later message. */
async function missingCounts(senders: readonly Sender[], origin: string): Promise<string[]> {
  const reader = new Connection(origin);
  const missing: string[] = [];
  for (const { property, acknowledged } of senders) {
    const { text } = await reader.get(countsPath(property));
    const stored = Math.max(...readCounts(text).map((count, days) => (count === undefined ? 0 : days * COUNTS_PER_NIGHT + count)));
    if (stored < acknowledged) missing.push(`property ${property}: ${acknowledged} acknowledged, only ${stored} stored`);
  }
  reader.close();
  return missing;
}

async function missingMessages(senders: readonly Sender[], { DATABASE_URL, DATA_DIR }: Settings): Promise<string[]> {
  const database = await openDatabase(DATABASE_URL, DATA_DIR!);
  const rows = await database.read.selectFrom("message").select("id").execute();
  await database.close();
  const stored = new Set(rows.map(({ id }) => id));
  return senders.flatMap(({ ids }) => ids.filter((id) => !stored.has(id)).map((id) => `message ${id}`));
}

function acknowledgedBy(senders: readonly Sender[]): number {
  return senders.reduce((sum, { ids }) => sum + ids.length, 0);
}
