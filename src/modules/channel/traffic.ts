import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { ArrivedRequest, OutgoingResponse } from "./exchange.ts";
import { MAX_WAITING_MESSAGES } from "./limits.ts";
import { Mailboxes } from "./mailboxes.ts";
import type { Message } from "./message.ts";
import { UnauthenticatedQuota } from "./senders/quotas.ts";

export type ChannelDeps = {
  database: Database;
  clock: Clock;
  messages: readonly Message[];
  traffic: ChannelTraffic;
  /** Records an uncaught error in the error log. `status` is the status of the HTTP response. Never rejects. */
  recordError(error: unknown, status: number): Promise<unknown>;
};

/** Handles messages in other threads. Rejects if the thread dies, in which case nothing was stored. */
export type ThreadHandler = { handle(deps: Pick<ChannelDeps, "recordError">, arrived: ArrivedRequest): Promise<OutgoingResponse> };

export class ChannelTraffic {
  readonly mailboxes: Mailboxes;
  readonly unauthenticated: UnauthenticatedQuota;
  readonly threads: ThreadHandler | undefined;

  constructor({ workers = 1, threads }: { workers?: number; threads?: ThreadHandler | undefined } = {}) {
    this.mailboxes = new Mailboxes(1 + Math.ceil(MAX_WAITING_MESSAGES / workers));
    this.unauthenticated = new UnauthenticatedQuota(workers);
    this.threads = threads;
  }
}
