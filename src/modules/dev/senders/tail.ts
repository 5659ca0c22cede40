import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { listMessages } from "../../../journal/messages.ts";
import { HttpException, NotFoundException } from "../../../web/http-error.ts";
import { findSender } from "../../channel/senders/store.ts";
import { toRecord } from "../log/export.ts";
import type { DevNeeds } from "../needs.ts";

const MAX_STREAMS = 50;
const POLL_INTERVAL_MS = 1_000;
/** Proxies close connections that stay silent. */
const KEEP_ALIVE_EVERY_POLLS = 15;
/** Ends the stream after five minutes. The browser reconnects, which checks its access again. */
const MAX_POLLS = 300;
const MAX_MESSAGES = 20;

/** Sends new messages of a connection as server-sent events. */
export function registerTail(app: FastifyInstance, { database }: DevNeeds): void {
  let streams = 0;
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.get("/dev/senders/:name/tail", { config: { about: "new messages of one connection, as they arrive" } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!(await findSender(database, name))) throw new NotFoundException(`Connection '${name}' not found`);
    if (streams >= MAX_STREAMS) throw new HttpException(503, "Too many pages are following messages; try again later");
    const isOpen = () => !closing && !reply.raw.destroyed;
    // One that is closed by now would never be counted down.
    if (isOpen()) {
      streams++;
      reply.raw.once("close", () => streams--);
    }
    reply.header("cache-control", "no-store").type("text/event-stream");
    return reply.send(Readable.from(events(database, name, isOpen)));
  });
}

async function* events(database: DevNeeds["database"], sender: string, isOpen: () => boolean): AsyncGenerator<string> {
  const newest = async () => (await listMessages(database, { sender, limit: MAX_MESSAGES })).messages;
  let [last = 0] = (await newest()).map(({ id }) => id);
  yield "retry: 3000\n\n";
  for (let poll = 1; poll <= MAX_POLLS && isOpen(); poll++) {
    await sleep(POLL_INTERVAL_MS);
    const newMessages = (await newest()).filter(({ id }) => id > last);
    for (const row of newMessages.toReversed()) yield `data: ${JSON.stringify(toRecord(row))}\n\n`;
    last = newMessages[0]?.id ?? last;
    if (poll % KEEP_ALIVE_EVERY_POLLS === 0) yield ":\n\n";
  }
}
