import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { Receipt, Received } from "../../journal/work.ts";
import type { Source } from "../../xml/source.ts";
import type { Refusal } from "./answer/reply.ts";
import type { Dialect } from "./dialects.ts";
import type { Document } from "./document/read.ts";
import type { Mailboxes } from "./mailboxes.ts";
import type { Message } from "./message.ts";
import type { Authenticated, Credentials } from "./senders/access.ts";
import type { Strangers } from "./senders/strangers.ts";
import type { Unread } from "./transports/body.ts";

/** What the channel works with. */
export type ChannelDeps = {
  database: Database;
  clock: Clock;
  messages: readonly Message[];
  traffic: { mailboxes: Mailboxes; strangers: Strangers; threads: Threads | undefined };
  /** Records an uncaught error in the error log; `status` is the sender's answer. Never rejects. */
  recordError(error: unknown, status: number): Promise<unknown>;
};

/** Handles messages outside the calling thread. Rejects if a thread died; then nothing was stored. */
export type Threads = { handle(deps: Pick<ChannelDeps, "recordError">, arrived: Arrived): Promise<Outgoing> };

/** One HTTP request to the channel. Header names are in lower case. */
export type Incoming = {
  headers: Readonly<Record<string, string | undefined>>;
  /** As received, or why it was not read. */
  body: Uint8Array | Unread;
  /** Set if the message is refused before all of it was read; `body` is then ignored. */
  opened?: Opened;
  who: Authenticated;
  remote: string | undefined;
  via: Received["via"];
  /** Decide and answer, but store nothing but the log entry. */
  dryRun?: boolean;
};

/** The answer, and what became of the message. */
export type Outgoing = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Absent when not even the log could be written. */
  receipt: Receipt | undefined;
};

/** What is known of a request before it is decided. */
export type Opened = {
  transport: Received["transport"];
  dialect: Dialect;
  action: string | undefined;
  /** The body without its compression, secrets masked. */
  body: Uint8Array;
  /** Whether all of the body was read. */
  isWhole: boolean;
  /** The text of the message; absent when there is none. */
  source: Source | undefined;
  document: Document | undefined;
  credentials: Credentials | undefined;
  refusal: Refusal | undefined;
  /** Whether the body, or its message, was empty. */
  empty: boolean;
};

/** A request and when it arrived; `elapsed` returns the milliseconds since then. */
export type Arrived = { incoming: Incoming; startedAt: number; elapsed(): number };

/** A request whose sender is known. */
export type Admitted = Arrived & { opened: Opened; who: Authenticated };
