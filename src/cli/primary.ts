import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../clock.ts";
import { type Listening, StartError } from "./command.ts";
import { ECHO_MS, type Stop, stopSignal } from "./stop.ts";

/** A worker has started once it has listened for this long. */
const STEADY_MS = 1_000;
/** Pause before a worker is replaced. It doubles with each one in a row that does not start. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Every worker is told to stop within this time, and earlier if the one before it has ended. */
const TELL_WITHIN_MS = 2_000;

/**
 * Starts `count` workers, which share one port, and replaces those that die. The first one starts alone, because it migrates the data.
 * Throws `StartError` if it ends before it listens; it has printed why.
 */
export async function startWorkers(count: number): Promise<Listening> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const primary = new Primary();
  const port = await Promise.race([primary.fork(), primary.lost]);
  for (let more = 1; more < count; more++) void primary.fork();
  return { port, ended: Promise.race([stopSignal().then((stop) => primary.stop(stop)), primary.lost]) };
}

class Primary {
  /** Rejects when no worker is left and another one could not start. */
  readonly lost: Promise<never>;
  readonly #giveUp: (error: Error) => void;
  /** Each resolves when the worker has ended. */
  readonly #ends = new Map<Worker, Promise<void>>();
  readonly #listening = new Set<Worker>();
  #failedStarts = 0;
  #stopping = false;

  constructor() {
    ({ promise: this.lost, reject: this.#giveUp } = Promise.withResolvers<never>());
  }

  /** Resolves to the port when the worker listens. */
  fork(): Promise<number> {
    const worker = cluster.fork();
    const listening = Promise.withResolvers<number>();
    let upFor: (() => number) | undefined;
    worker.once("listening", ({ port }: Address) => {
      upFor = stopwatch();
      this.#listening.add(worker);
      listening.resolve(port);
    });
    closeLostConnections(worker);
    const ended = Promise.withResolvers<void>();
    this.#ends.set(worker, ended.promise);
    worker.once("exit", (code: number, signal: string | null) => {
      this.#ends.delete(worker);
      this.#listening.delete(worker);
      ended.resolve();
      if (this.#stopping) return;
      console.error(`Worker ${worker.process.pid} ended ${signal ? `by ${signal}` : `with exit code ${code}`}.`);
      this.#replace(upFor !== undefined && upFor() > STEADY_MS);
    });
    return listening.promise;
  }

  #replace(hadStarted: boolean): void {
    this.#failedStarts = hadStarted ? 0 : this.#failedStarts + 1;
    if (!hadStarted && this.#listening.size === 0) return this.#giveUp(new StartError("No worker could start."));
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failedStarts);
    setTimeout(() => {
      if (!this.#stopping) void this.fork();
    }, pause);
  }

  /** Stops the workers one after the other; a second signal kills them. */
  async stop({ reason, finishWithinMs }: Stop): Promise<void> {
    this.#stopping = true;
    setTimeout(() => void stopSignal().then(() => this.#kill()), ECHO_MS).unref();
    const elapsed = stopwatch();
    const ends = [...this.#ends];
    for (const [worker, ended] of ends) {
      tell(worker, { reason, finishWithinMs: finishWithinMs - elapsed() });
      await Promise.race([ended, sleep(TELL_WITHIN_MS / ends.length)]);
    }
    await Promise.all(ends.map(([, ended]) => ended));
  }

  #kill(): void {
    for (const worker of this.#ends.keys()) worker.kill("SIGKILL");
  }
}

type Closable = { close(): void };

/**
 * If a worker dies while a connection is being handed to it, Node's cluster never closes that connection, and its client would wait forever.
 * Node hands over one connection of each listening socket (`key`) at a time. Closing one twice does nothing.
 */
function closeLostConnections({ process: child }: Worker): void {
  const handedOver = new Map<string, Closable>();
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  child.send = (...sent: unknown[]) => {
    const [message, connection] = sent as [{ act?: string; key?: string }, Closable | undefined];
    if (message.act === "newconn" && connection) handedOver.set(message.key!, connection);
    return send(...sent);
  };
  child.once("exit", () => {
    for (const connection of handedOver.values()) connection.close();
  });
}

/** A worker that is ending by itself can't be told any more. */
function tell(worker: Worker, stop: Stop): void {
  if (worker.isConnected()) worker.send(stop, () => {});
}
