import { isUnavailable } from "../../db/faults.ts";

type Mailbox = { newest: Promise<unknown>; length: number };

/** One bounded queue per key, such as a property. Tasks with the same key run one at a time, in order of arrival. */
export class Mailboxes {
  readonly #limit: number;
  readonly #open = new Map<string, Mailbox>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> | undefined {
    const mailbox = this.#open.getOrInsertComputed(key, () => ({ newest: Promise.resolve(), length: 0 }));
    if (mailbox.length >= this.#limit) return undefined;
    mailbox.length++;
    const finishedTask = mailbox.newest.then(task, (error: Error) => afterFailure(error, task)).finally(() => this.#leave(key, mailbox));
    mailbox.newest = finishedTask;
    return finishedTask;
  }

  #leave(key: string, mailbox: Mailbox): void {
    if (--mailbox.length === 0) this.#open.delete(key);
  }
}

/** If the database is unavailable, all waiting tasks fail immediately instead of each waiting for its own timeout. */
function afterFailure<T>(error: Error, task: () => Promise<T>): Promise<T> {
  return isUnavailable(error) ? Promise.reject(error) : task();
}
