import type { Threads } from "./exchange.ts";
import { MAX_WAITING } from "./limits.ts";
import { Mailboxes } from "./mailboxes.ts";
import { Strangers } from "./senders/strangers.ts";

/** What the messages in this process share. */
export class Traffic {
  /** By property code. */
  readonly mailboxes = new Mailboxes(1 + MAX_WAITING);
  readonly strangers = new Strangers();
  /** For large messages. Without them the calling thread handles large messages too. */
  readonly threads: Threads | undefined;

  constructor(threads?: Threads) {
    this.threads = threads;
  }
}
