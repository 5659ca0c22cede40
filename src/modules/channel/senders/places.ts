/** Limits how many messages of one sender are under way at once, from the moment the sender is known until the answer. */
export class Places {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place and returns the function that gives it back; undefined if the sender has none left. */
  take(sender: string): (() => void) | undefined {
    const taken = this.#taken.get(sender) ?? 0;
    if (taken >= this.#limit) return undefined;
    this.#taken.set(sender, taken + 1);
    return () => this.#giveBack(sender);
  }

  #giveBack(sender: string): void {
    const left = this.#taken.get(sender)! - 1;
    if (left === 0) this.#taken.delete(sender);
    else this.#taken.set(sender, left);
  }
}
