import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Change, NightCopy, parseEvents, type Read } from "./feed.ts";
import { killRepeatedly, type KillPlan, type KillReport } from "./kills.ts";
import { until } from "./until.ts";

const RETRY_MS = 20;
const UNAVAILABLE = 503;

export type FeedKillReport = KillReport & { changes: number; breaks: number };

/** Part of the feed, and the cursor after it. */
type Part = { changes: readonly Change[]; cursor: string };

type Source = { origin: string; after: string; signal: AbortSignal };

/**
 * Kills a service repeatedly while one consumer polls the change feed and another keeps a stream open, and checks that both end up with the
 * same nights as the service. The consumers never load a second snapshot.
 */
export async function killDuringFeed(plan: KillPlan): Promise<FeedKillReport> {
  const consumers: Consumer[] = [];
  const differences: string[] = [];
  let origin = "";
  const start = async () => {
    const victim = await plan.start();
    ({ origin } = victim);
    if (consumers.length === 0) consumers.push(new Consumer(origin, pages), new Consumer(origin, events));
    return victim;
  };
  const beforeKill = async () => {
    const before = consumers.map(({ changes }) => changes);
    await Promise.all(consumers.map((consumer, index) => consumer.until("another change", () => consumer.changes > before[index]!)));
  };
  const beforeStop = async () => {
    const service = new NightCopy();
    const end = await service.load(readFrom(origin));
    for (const consumer of consumers) {
      await consumer.until(`the cursor ${end}`, () => consumer.cursor === end);
      await consumer.stop();
      differences.push(...consumer.copy.differences(service));
    }
  };
  try {
    const { acknowledged, lost } = await killRepeatedly({ ...plan, start, beforeKill, beforeStop });
    const [changes, breaks] = [consumers.map((one) => one.changes), consumers.map((one) => one.breaks)];
    return { acknowledged, lost: [...lost, ...differences], changes: Math.min(...changes), breaks: Math.min(...breaks) };
  } finally {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  }
}

/** Loads a snapshot, then follows the feed. After a failure, it continues from its last cursor. */
class Consumer {
  copy = new NightCopy();
  cursor = "";
  changes = 0;
  /** Number of failed requests and broken streams. */
  breaks = 0;
  readonly #origin: string;
  readonly #follow: (source: Source) => AsyncIterable<Part>;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #refusal: Refusal | undefined;

  constructor(origin: string, follow: (source: Source) => AsyncIterable<Part>) {
    this.#origin = origin;
    this.#follow = follow;
    this.#ended = this.#run();
  }

  /** Waits for a condition. Throws if the service refused a request. */
  async until(what: string, isReached: () => boolean): Promise<void> {
    const state = () => `${this.#follow.name} at the cursor ${this.cursor} after ${this.changes} changes and ${this.breaks} breaks`;
    await until(
      () => `${what}: ${state()}`,
      () => {
        if (this.#refusal) throw this.#refusal;
        return isReached();
      },
    );
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted && !this.#refusal) {
      await this.#read().catch((error: unknown) => {
        if (error instanceof Refusal) this.#refusal = error;
        else if (this.cursor !== "") this.breaks++;
      });
      await sleep(RETRY_MS);
    }
  }

  async #read(): Promise<void> {
    if (this.cursor === "") {
      this.copy = new NightCopy();
      this.cursor = await this.copy.load(readFrom(this.#origin));
    }
    for await (const part of this.#follow({ origin: this.#origin, after: this.cursor, signal: this.#stopping.signal })) {
      for (const change of part.changes) this.copy.apply(change);
      this.changes += part.changes.length;
      this.cursor = part.cursor;
    }
  }
}

class Refusal extends Error {}

/** Sends a request. A service that is starting or stopping may return 503. */
async function ask(url: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, signal && { signal });
  if (response.ok) return response;
  const reason = `${url}: ${response.status} ${await response.text()}`;
  throw response.status === UNAVAILABLE ? new Error(reason) : new Refusal(reason);
}

function readFrom(origin: string): Read {
  return async (path) => (await ask(origin + path)).text();
}

/** Reads the feed in small pages, so that most changes need several requests. */
async function* pages({ origin, after, signal }: Source): AsyncGenerator<Part> {
  for (let cursor = after; !signal.aborted;) {
    const response = await ask(`${origin}/changes?include=values&limit=20&wait=5&after=${cursor}`, signal);
    const page = (await response.json()) as Answer;
    yield page;
    ({ cursor } = page);
  }
}

async function* events({ origin, after, signal }: Source): AsyncGenerator<Part> {
  const response = await ask(`${origin}/changes?include=values&format=events&after=${after}`, signal);
  let text = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split("\n\n");
    text = blocks.pop()!;
    yield* parseEvents(blocks);
  }
}
