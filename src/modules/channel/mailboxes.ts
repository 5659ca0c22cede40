import { isUnavailable } from "../../db/faults.ts";

type Mailbox = { newest: Promise<unknown>; length: number };

/** One bounded queue for each key, such as a property. Work with the same key runs one at a time, in the order in which it came. */
export class Mailboxes {
  readonly #limit: number;
  readonly #open = new Map<string, Mailbox>();

  /** `limit`: how much work with one key may be running or waiting. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` after all earlier work with the same key. Returns `undefined` if that mailbox is full. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const mailbox = this.#open.getOrInsertComputed(key, () => ({ newest: Promise.resolve(), length: 0 }));
    if (mailbox.length >= this.#limit) return undefined;
    mailbox.length++;
    const done = mailbox.newest.then(work, (error: Error) => afterFailure(error, work)).finally(() => this.#leave(key, mailbox));
    mailbox.newest = done;
    return done;
  }

  #leave(key: string, mailbox: Mailbox): void {
    if (--mailbox.length === 0) this.#open.delete(key);
  }
}

/** If the database is unavailable, everything that waits fails at once instead of timing out one by one. */
function afterFailure<T>(error: Error, work: () => Promise<T>): Promise<T> {
  return isUnavailable(error) ? Promise.reject(error) : work();
}
