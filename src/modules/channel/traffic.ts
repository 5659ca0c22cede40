import { MAX_WAITING } from "./limits.ts";
import { Mailboxes } from "./mailboxes.ts";
import { Strangers } from "./senders/strangers.ts";

/** What the messages in this process share. */
export class Traffic {
  /** By property code. */
  readonly mailboxes = new Mailboxes(1 + MAX_WAITING);
  /** Large messages are handled one at a time, to limit memory. They wait before they are unpacked. */
  readonly large = new Mailboxes(Number.POSITIVE_INFINITY);
  readonly strangers = new Strangers();
}
