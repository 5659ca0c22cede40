import { setTimeout as sleep } from "node:timers/promises";

export class SingleFlight<T> {
  readonly #task: () => Promise<T>;
  #running: Promise<T> | undefined;

  constructor(task: () => Promise<T>) {
    this.#task = task;
  }

  run(): Promise<T> {
    return (this.#running ??= this.#task().finally(() => {
      this.#running = undefined;
    }));
  }

  async idle(): Promise<void> {
    await this.#running?.catch(() => {});
  }
}

/** Resolves to undefined after `ms` if `task` takes longer. The timer does not keep the process alive. */
export function withTimeout<T>(ms: number, task: Promise<T>): Promise<T | undefined> {
  return Promise.race([task, sleep(ms, undefined, { ref: false })]);
}
