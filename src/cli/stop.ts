import cluster from "node:cluster";

/** Supervisors wait ten seconds or more before they kill a process. Requests that are not answered by then are cut off. */
const FINISH_WITHIN_MS = 8_000;
/** The same signal can come twice, to the process and to its group, for example from `timeout`. */
export const ECHO_MS = 500;
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Why a service stops, and how long requests in flight may take. */
export type Stop = { reason: string; finishWithinMs: number };

/** Resolves on SIGTERM or SIGINT. A signal that comes later than its echo has its usual effect: it ends the process at once. */
export async function stopSignal(): Promise<Stop> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of SIGNALS) process.on(signal, resolve);
  const reason = await promise;
  const endListening = () => {
    for (const signal of SIGNALS) process.off(signal, resolve);
  };
  setTimeout(endListening, ECHO_MS).unref();
  return { reason, finishWithinMs: FINISH_WITHIN_MS };
}

/**
 * In a worker: resolves once the primary asks for it, or is gone. Signals are left to the primary, because a process group or a control
 * group sends them to every process.
 */
export function stopFromPrimary(): Promise<Stop> {
  for (const signal of SIGNALS) process.on(signal, () => {});
  const { promise, resolve } = Promise.withResolvers<Stop>();
  process.once("message", (stop: Stop) => resolve(stop));
  const worker = cluster.worker!;
  worker.once("disconnect", () => {
    // Otherwise Node would end the process in the middle of its requests.
    worker.exitedAfterDisconnect = true;
    resolve({ reason: "the primary process ended", finishWithinMs: FINISH_WITHIN_MS });
  });
  return promise;
}
