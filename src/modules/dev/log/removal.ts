import type { FastifyReply, FastifyRequest } from "fastify";
import { stopwatch } from "../../../clock.ts";
import { createAudit, listAudit } from "../../../db/audit.ts";
import { countRemoval, type Removal, type RemovalCount, removeMessages } from "../../../journal/removal.ts";
import { readTyped, type Typed } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { Services } from "../../module.ts";
import { removalPage } from "./removal-page.ts";
import { readConfirmed, readPreview, type RemovalQuery } from "./removal-query.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** What is removed for longer than that is left to the next click, so that nobody waits in vain for an answer. */
const LONGEST_MS = 10_000;
const SUBJECT = "messages";

/** Shows how many messages would go; removes nothing. */
export function answerPreview(services: Services, typed: Typed, exchange: Exchange): Promise<FastifyReply> {
  return answerQuery(services, readPreview(typed, services.clock.now()), exchange);
}

/** Removes messages as they were confirmed, and notes who did it. */
export async function removeConfirmed(services: Services, exchange: Exchange): Promise<FastifyReply> {
  const query = readConfirmed(readTyped(exchange.request.body));
  if (!query.removal || Object.keys(query.faults).length > 0) return answerQuery(services, query, exchange);
  const { removal } = query;
  const { request, reply } = exchange;
  const removed = await removeNoted(services, request, removal);
  if (wantsJson(request)) return sendJson(reply, { ...toRecord(removal), ...removed });
  return seeOther(reply, withQuery(path`/dev/logs`, { view: "removal" }), told(removed));
}

async function answerQuery({ database }: Services, query: RemovalQuery, { request, reply }: Exchange): Promise<FastifyReply> {
  const { removal, faults } = query;
  if (wantsJson(request) && Object.keys(faults).length > 0) return sendFaults(reply, faults);
  const count = removal && (await countRemoval(database, removal));
  const past = await listAudit(database, SUBJECT);
  if (wantsJson(request)) return sendJson(reply, { ...(removal && toRecord(removal)), ...count, past });
  return sendPage(reply, removalPage({ query, count, past, token: await formToken(reply) }));
}

type Removed = RemovalCount & { done: boolean };

/** What was removed before a fault is noted, too. */
async function removeNoted(services: Services, request: FastifyRequest, removal: Removal): Promise<Removed> {
  const removed = { gone: 0, emptied: 0, done: false };
  const elapsed = stopwatch();
  try {
    for await (const { gone, emptied, done } of removeMessages(services.database, removal)) {
      removed.gone += gone;
      removed.emptied += emptied;
      removed.done = done;
      if (elapsed() >= LONGEST_MS) break;
    }
  } finally {
    await noteRemoval(services, request, { removal, removed });
  }
  return removed;
}

async function noteRemoval(
  { database, clock }: Services,
  request: FastifyRequest,
  { removal, removed }: { removal: Removal; removed: Removed },
): Promise<void> {
  const { property, before } = removal;
  const fields = {
    property: property ?? "any",
    "received before": localMoment(before),
    "removed altogether": String(removed.gone),
    "without body": String(removed.emptied),
  };
  const changes = Object.entries(fields).map(([field, to]) => ({ field, from: "", to }));
  request.log.info({ reqId: request.id, actor: request.actor, property, before, ...removed }, "messages removed from the log");
  await createAudit(database.write, { at: clock.now(), actor: request.actor, action: "remove", subject: SUBJECT, changes });
}

function told({ gone, emptied, done }: Removed): string {
  const what = `${counted(gone, "message")} went altogether, and the bodies of ${counted(emptied, "message")} that set or cleared nights.`;
  return done ? what : `${what} There are more: that was all in ${LONGEST_MS / 1_000} seconds.`;
}

function toRecord({ property, before }: Removal) {
  return { property: property ?? null, receivedBefore: new Date(before).toISOString() };
}
