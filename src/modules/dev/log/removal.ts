import type { FastifyReply, FastifyRequest } from "fastify";
import { stopwatch } from "../../../clock.ts";
import { countRemoval, type Removal, type RemovalCount, removeMessages } from "../../../journal/removal.ts";
import { createAudit, listAudit } from "../../../records/audit.ts";
import { readTyped, type Typed } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { DevNeeds } from "../needs.ts";
import { removalPage } from "./removal-page.ts";
import { readConfirmed, readPreview, type RemovalQuery } from "./removal-query.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** A longer deletion stops here and can be repeated, so that the request does not time out. */
const MAX_DURATION_MS = 10_000;
const SUBJECT = "messages";

export function sendPreview(services: DevNeeds, typed: Typed, exchange: Exchange): Promise<FastifyReply> {
  return sendRemovalPage(services, readPreview(typed, services.clock.now()), exchange);
}

export async function removeConfirmed(services: DevNeeds, exchange: Exchange): Promise<FastifyReply> {
  const query = readConfirmed(readTyped(exchange.request.body));
  if (!query.removal || Object.keys(query.faults).length > 0) return sendRemovalPage(services, query, exchange);
  const { removal } = query;
  const { request, reply } = exchange;
  const removed = await removeAndRecord(services, request, removal);
  if (wantsJson(request)) return sendJson(reply, { ...toRecord(removal), ...removed });
  return seeOther(reply, withQuery(path`/dev/logs`, { view: "removal" }), removedText(removed));
}

async function sendRemovalPage({ database }: DevNeeds, query: RemovalQuery, { request, reply }: Exchange): Promise<FastifyReply> {
  const { removal, faults } = query;
  if (wantsJson(request) && Object.keys(faults).length > 0) return sendFaults(reply, faults);
  const count = removal && (await countRemoval(database, removal));
  const past = await listAudit(database, SUBJECT);
  if (wantsJson(request)) return sendJson(reply, { ...(removal && toRecord(removal)), ...count, past });
  return sendPage(reply, removalPage({ query, count, past, token: await formToken(reply) }));
}

type Removed = RemovalCount & { done: boolean };

/** Also records what was deleted before an error. */
async function removeAndRecord(services: DevNeeds, request: FastifyRequest, removal: Removal): Promise<Removed> {
  const removed = { gone: 0, emptied: 0, done: false };
  const elapsed = stopwatch();
  try {
    for await (const { gone, emptied, done } of removeMessages(services.database, removal)) {
      removed.gone += gone;
      removed.emptied += emptied;
      removed.done = done;
      if (elapsed() >= MAX_DURATION_MS) break;
    }
  } finally {
    await recordRemoval(services, request, { removal, removed });
  }
  return removed;
}

async function recordRemoval(
  { database, clock }: DevNeeds,
  request: FastifyRequest,
  { removal, removed }: { removal: Removal; removed: Removed },
): Promise<void> {
  const { property, before } = removal;
  const fields = {
    property: property ?? "any",
    "received before": localMoment(before),
    "messages deleted": String(removed.gone),
    "bodies deleted": String(removed.emptied),
  };
  const changes = Object.entries(fields).map(([field, to]) => ({ field, from: "", to }));
  request.log.info({ reqId: request.id, actor: request.actor, property, before, ...removed }, "messages deleted from the log");
  await createAudit(database.write, { at: clock.now(), actor: request.actor, action: "remove", subject: SUBJECT, changes });
}

function removedText({ gone, emptied, done }: Removed): string {
  const text = `${counted(gone, "message")} deleted, and the bodies of ${counted(emptied, "message")} that changed nights.`;
  return done ? text : `${text} Stopped after ${MAX_DURATION_MS / 1_000} seconds. Repeat to delete the rest.`;
}

function toRecord({ property, before }: Removal) {
  return { property: property ?? null, receivedBefore: new Date(before).toISOString() };
}
