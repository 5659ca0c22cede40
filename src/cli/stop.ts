import cluster from "node:cluster";

const FINISH_TIMEOUT_MS = 8_000;
/** A second signal within this time is a duplicate. Signals can be sent both to the process and to its group, for example by `timeout`. */
export const DUPLICATE_SIGNAL_MS = 500;
const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

export type StopRequest = { reason: string; finishWithinMs: number };

/** Resolves on SIGTERM or SIGINT. A second signal that is not a duplicate ends the process immediately. */
export async function stopSignal(): Promise<StopRequest> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of STOP_SIGNALS) process.on(signal, resolve);
  const reason = await promise;
  const stopListening = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, resolve);
  };
  setTimeout(stopListening, DUPLICATE_SIGNAL_MS).unref();
  return { reason, finishWithinMs: FINISH_TIMEOUT_MS };
}

/** Resolves when the primary process requests a stop or exits. Ignores signals, because they reach every process in a group. */
export function stopFromPrimary(): Promise<StopRequest> {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {});
  const { promise, resolve } = Promise.withResolvers<StopRequest>();
  process.on("message", (message: object) => {
    if ("finishWithinMs" in message) resolve(message as StopRequest);
  });
  const worker = cluster.worker!;
  worker.once("disconnect", () => {
    // Without this, Node would exit immediately, even during requests.
    worker.exitedAfterDisconnect = true;
    resolve({ reason: "the primary process ended", finishWithinMs: FINISH_TIMEOUT_MS });
  });
  return promise;
}
