import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../clock.ts";
import { type ListeningService, StartError } from "./command.ts";
import { DUPLICATE_SIGNAL_MS, type StopRequest, stopSignal } from "./stop.ts";

/** A worker counts as started once it has been listening for this long. */
const STABLE_AFTER_MS = 1_000;
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 30_000;
/** Workers are told to stop one after another. The last one is told within this time. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Starts workers that share a port, and replaces workers that die. Starts the first worker alone, because it migrates the database. Throws
 * `StartError` if the first worker exits before it listens; the worker prints the reason.
 */
export async function startWorkers(count: number, untilStopped: () => Promise<StopRequest>): Promise<ListeningService> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const primary = new PrimaryProcess();
  const port = await Promise.race([primary.fork(), primary.lost]);
  for (let started = 1; started < count; started++) void primary.fork();
  return { port, ended: Promise.race([untilStopped().then((stop) => primary.stop(stop)), primary.lost]) };
}

class PrimaryProcess {
  /** Rejects if no worker is left and no new worker can start. */
  readonly lost: Promise<never>;
  readonly #giveUp: (error: Error) => void;
  readonly #ends = new Map<Worker, Promise<void>>();
  readonly #listening = new Set<Worker>();
  #failedStarts = 0;
  #stopping = false;

  constructor() {
    ({ promise: this.lost, reject: this.#giveUp } = Promise.withResolvers<never>());
  }

  fork(): Promise<number> {
    const worker = cluster.fork();
    const listeningPort = Promise.withResolvers<number>();
    let uptime: (() => number) | undefined;
    worker.once("listening", ({ port }: Address) => {
      uptime = stopwatch();
      this.#listening.add(worker);
      listeningPort.resolve(port);
    });
    closeLostConnections(worker);
    const endedWorkers = Promise.withResolvers<void>();
    this.#ends.set(worker, endedWorkers.promise);
    worker.once("exit", (code: number, signal: string | null) => {
      this.#ends.delete(worker);
      this.#listening.delete(worker);
      endedWorkers.resolve();
      if (this.#stopping) return;
      console.error(`Worker ${worker.process.pid} ended ${signal ? `by ${signal}` : `with exit code ${code}`}.`);
      this.#replace(uptime !== undefined && uptime() > STABLE_AFTER_MS);
    });
    return listeningPort.promise;
  }

  #replace(hadStarted: boolean): void {
    this.#failedStarts = hadStarted ? 0 : this.#failedStarts + 1;
    if (!hadStarted && this.#listening.size === 0) return this.#giveUp(new StartError("No worker could start."));
    const restartDelay = Math.min(MAX_RESTART_DELAY_MS, MIN_RESTART_DELAY_MS * 2 ** this.#failedStarts);
    setTimeout(() => {
      if (!this.#stopping) void this.fork();
    }, restartDelay);
  }

  async stop({ reason, finishWithinMs }: StopRequest): Promise<void> {
    this.#stopping = true;
    setTimeout(() => void stopSignal().then(() => this.#kill()), DUPLICATE_SIGNAL_MS).unref();
    const elapsed = stopwatch();
    const ends = [...this.#ends];
    for (const [worker, endedWorkers] of ends) {
      if (worker.isConnected()) worker.send({ reason, finishWithinMs: finishWithinMs - elapsed() } satisfies StopRequest, () => {});
      await Promise.race([endedWorkers, sleep(STOP_TIMEOUT_MS / ends.length)]);
    }
    await Promise.all(ends.map(([, endedWorkers]) => endedWorkers));
  }

  #kill(): void {
    for (const worker of this.#ends.keys()) worker.kill("SIGKILL");
  }
}

type Closable = { close(): void };

/**
 * Closes connections that a dead worker left behind. If a worker dies while Node's cluster module passes it a connection, the connection
 * stays open and its client waits forever. Node passes one connection at a time per listening socket (`key`). Closing a connection twice is
 * harmless.
 */
function closeLostConnections({ process: child }: Worker): void {
  const passedConnections = new Map<string, Closable>();
  const sendMessage = child.send.bind(child) as (...sent: unknown[]) => boolean;
  child.send = (...sent: unknown[]) => {
    const [message, connection] = sent as [{ act?: string; key?: string }, Closable | undefined];
    if (message.act === "newconn" && connection) passedConnections.set(message.key!, connection);
    return sendMessage(...sent);
  };
  child.once("exit", () => {
    for (const connection of passedConnections.values()) connection.close();
  });
}
