import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Database } from "../../../db/database.ts";
import { listMessages, type MessageFilters } from "../../../journal/messages.ts";
import { streamAccess } from "../../../web/guard/stream-access.ts";
import { HttpException } from "../../../web/http-error.ts";
import { toRecord } from "./export.ts";

const MAX_STREAMS = 50;
const POLL_INTERVAL_MS = 1_000;
/** A stream sends a comment after this many polls, because proxies close idle connections. */
const KEEP_ALIVE_EVERY_POLLS = 15;
/** Ends a stream after five minutes. The browser reconnects. */
const MAX_POLLS = 300;
const MAX_MESSAGES_PER_POLL = 20;

/** Sends new messages as server-sent events, to a limited number of pages. */
export class MessageStreams {
  readonly #database: Database;
  #count = 0;
  #isClosing = false;

  constructor(app: FastifyInstance, database: Database) {
    this.#database = database;
    app.addHook("preClose", (done) => {
      this.#isClosing = true;
      done();
    });
  }

  /** Streams messages that match the filters as they arrive. Throws `HttpException` if there are too many streams. */
  send(reply: FastifyReply, filters: MessageFilters): FastifyReply {
    if (this.#count >= MAX_STREAMS) throw new HttpException(503, "Too many pages are showing new messages; try again later");
    const access = streamAccess(reply);
    const isOpen = () => !this.#isClosing && !access.aborted;
    // Don't count a stream that has already been closed, because no event would subtract it again.
    if (isOpen()) {
      this.#count++;
      reply.raw.once("close", () => this.#count--);
    }
    reply.header("cache-control", "no-store").header("x-accel-buffering", "no").type("text/event-stream");
    return reply.send(Readable.from(messageEvents(this.#database, filters, isOpen)));
  }
}

async function* messageEvents(database: Database, filters: MessageFilters, isOpen: () => boolean): AsyncGenerator<string> {
  const listNewest = async () => (await listMessages(database, { ...filters, limit: MAX_MESSAGES_PER_POLL })).messages;
  let [last = 0] = (await listNewest()).map(({ id }) => id);
  yield "retry: 3000\n\n";
  for (let poll = 1; poll <= MAX_POLLS && isOpen(); poll++) {
    await sleep(POLL_INTERVAL_MS);
    const newMessages = (await listNewest()).filter(({ id }) => id > last);
    for (const row of newMessages.toReversed()) yield `data: ${JSON.stringify(toRecord(row))}\n\n`;
    last = newMessages[0]?.id ?? last;
    if (poll % KEEP_ALIVE_EVERY_POLLS === 0) yield ":\n\n";
  }
}
