import { isUnavailable } from "../faults.ts";

/**
 * Work with the same key runs one after the other, in the order it came; other keys do not wait.
 * When the database does not answer, all that wait fail at once, instead of each in its turn.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const before = this.#last.get(key);
    const turn = before ? before.then(work, (error: unknown) => (isUnavailable(error) ? Promise.reject(error as Error) : work())) : work();
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
