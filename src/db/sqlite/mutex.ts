/** Lets one holder in at a time, in the order they asked. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves to the function that lets the next one in. */
  async acquire(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    return resolve;
  }
}
