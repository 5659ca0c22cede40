import type { Receipt, ReceivedMessage } from "../../journal/work.ts";
import type { XmlSource } from "../../xml/source.ts";
import type { MessageRefusal } from "./answer/refusal.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { MessageDocument } from "./document/read.ts";
import type { AuthenticatedClient } from "./senders/access.ts";
import type { Credentials } from "./senders/credentials.ts";
import type { UnreadReason } from "./transports/body.ts";

/** An HTTP request to the channel. Header names are lower-case. */
export type IncomingRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | UnreadReason;
  /** Set if the message was refused before all of it was read; `body` is then ignored. */
  opened?: OpenedRequest;
  who: AuthenticatedClient;
  remote: string | undefined;
  via: ReceivedMessage["via"];
  /** If set, the message is decided and answered as usual, but only the log entry is stored. */
  dryRun?: boolean;
  /** ID of the logged message that is being replayed. */
  original?: number;
};

export type OutgoingResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  receipt: Receipt | undefined;
};

export type OpenedRequest = {
  transport: ReceivedMessage["transport"];
  dialect: Dialect;
  action: string | undefined;
  /** The uncompressed body, with secrets masked. */
  body: Uint8Array;
  isComplete: boolean;
  source: XmlSource | undefined;
  document: MessageDocument | undefined;
  credentials: Credentials | undefined;
  refusal: MessageRefusal | undefined;
  /** Whether the body or its message was empty. */
  empty: boolean;
};

/** A request with its arrival time. `elapsed` returns the milliseconds since then. */
export type ArrivedRequest = { incoming: IncomingRequest; startedAt: number; elapsed(): number };

export type AdmittedRequest = ArrivedRequest & { opened: OpenedRequest; who: AuthenticatedClient };
