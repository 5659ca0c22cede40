import type { Threads } from "./exchange.ts";
import { MAX_WAITING } from "./limits.ts";
import { Mailboxes } from "./mailboxes.ts";
import { Strangers } from "./senders/strangers.ts";

/** What the messages in this process share. */
export class Traffic {
  /** By property code. */
  readonly mailboxes: Mailboxes;
  readonly strangers: Strangers;
  /** For large messages. Without them the calling thread handles large messages too. */
  readonly threads: Threads | undefined;

  /** `workers`: how many processes divide the limits among themselves. */
  constructor({ workers = 1, threads }: { workers?: number; threads?: Threads | undefined } = {}) {
    this.mailboxes = new Mailboxes(1 + Math.ceil(MAX_WAITING / workers));
    this.strangers = new Strangers(workers);
    this.threads = threads;
  }
}
