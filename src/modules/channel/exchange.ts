import type { Receipt, Received } from "../../journal/work.ts";
import type { Source } from "../../xml/source.ts";
import type { Refusal } from "./answer/refusal.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { Document } from "./document/read.ts";
import type { Authenticated } from "./senders/access.ts";
import type { Credentials } from "./senders/credentials.ts";
import type { UnreadReason } from "./transports/body.ts";

/** An HTTP request to the channel. Header names are lower-case. */
export type Incoming = {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | UnreadReason;
  /** Set if the message was refused before all of it was read; `body` is then ignored. */
  opened?: Opened;
  who: Authenticated;
  remote: string | undefined;
  via: Received["via"];
  /** Decides and responds as usual, but stores only the log entry. */
  dryRun?: boolean;
  /** ID of the logged message that is being replayed. */
  original?: number;
};

export type Outgoing = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  receipt: Receipt | undefined;
};

export type Opened = {
  transport: Received["transport"];
  dialect: Dialect;
  action: string | undefined;
  /** The uncompressed body, with secrets masked. */
  body: Uint8Array;
  isWhole: boolean;
  source: Source | undefined;
  document: Document | undefined;
  credentials: Credentials | undefined;
  refusal: Refusal | undefined;
  /** Whether the body or its message was empty. */
  empty: boolean;
};

/** A request with its arrival time. `elapsed` returns the milliseconds since then. */
export type ArrivedRequest = { incoming: Incoming; startedAt: number; elapsed(): number };

export type AdmittedRequest = ArrivedRequest & { opened: Opened; who: Authenticated };
