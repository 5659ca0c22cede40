import { setTimeout as sleep } from "node:timers/promises";

/** What `work` resolves to; undefined when that takes longer than `ms`. Keeps no process alive. */
export function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
