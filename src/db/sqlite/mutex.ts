/** Admits one holder at a time, in order. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves to the function that releases it. */
  async acquire(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    return resolve;
  }
}
