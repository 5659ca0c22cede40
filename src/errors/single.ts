/** Work that is done once at a time: all who ask for it while it is under way share it. */
export class Single<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  run(): Promise<T> {
    return (this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    }));
  }

  /** Resolves when nothing is under way; never rejects. */
  async rest(): Promise<void> {
    await this.#running?.catch(() => {});
  }
}
