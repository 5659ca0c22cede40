import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MessageRow } from "../../../db/schema.ts";
import { runJson } from "../../../grid/changes.ts";
import { findMessage, findSenders, type MessageDetail } from "../../../journal/messages.ts";
import { findProperty } from "../../../records/property/store.ts";
import { actionOf, anyRoute } from "../../../web/any-route.ts";
import { readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { HttpException, NotFoundException } from "../../../web/http-error.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { path } from "../../../web/path.ts";
import { endpointOf, needsNoCredentials } from "../../channel/endpoint.ts";
import type { Transport } from "../../channel/example.ts";
import { curlCommand } from "../console/curl.ts";
import { sendToChannel } from "../console/send.ts";
import type { DevNeeds } from "../needs.ts";
import { bodyText, dropEncoding } from "./body.ts";
import { sendComparison } from "./comparison-route.ts";
import { logDetailPage } from "./detail-page.ts";
import { toRecord } from "./export.ts";

export function registerLogEntry(app: FastifyInstance, services: DevNeeds): void {
  anyRoute(app, { url: "/dev/logs/:id", about: "one message in the log" }, async (request, reply) => {
    const { id: idText } = request.params as { id: string };
    const id = readId(idText);
    const detail = id && (await findMessage(services.database, id));
    if (!detail) throw new NotFoundException(`Message '${idText}' not found`);
    if (actionOf(request) === "replay") return replay(services, detail, { request, reply });
    const { body, compare } = readTyped(request.query);
    if (body === "request" || body === "answer") return sendBody(detail, body, reply);
    if (compare === "previous") return sendComparison(services, detail, { request, reply });
    return wantsJson(request) ? sendJson(reply, entryJson(detail)) : sendEntry(services, detail, { request, reply });
  });
}

/** Sends the raw body as plain text, so that browsers do not run it and its line numbers match the notes. */
function sendBody({ message, bodies, notes }: MessageDetail, which: "request" | "answer", reply: FastifyReply): FastifyReply {
  if (!bodies) throw new NotFoundException(`Bodies of message '${message.id}' not found`);
  const { raw } = bodyText(bodies[which], (which === "request" && notes?.headers["content-type"]) || "");
  return reply.type("text/plain; charset=utf-8").header("cache-control", "no-store").send(raw);
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };

async function sendEntry(services: DevNeeds, detail: MessageDetail, { request, reply }: Exchange): Promise<FastifyReply> {
  const { message, bodies, notes } = detail;
  const property = message.property === null ? undefined : await findProperty(services.database, message.property);
  const sent = bodies && bodyText(bodies.request, notes?.headers["content-type"] ?? "");
  const curl =
    sent?.exact &&
    curlCommand({
      url: endpointOf(services, request),
      xml: dropEncoding(sent.document),
      open: await needsNoCredentials(services, request),
      transport: transportOf(message.transport),
      action: message.action ?? undefined,
      version: notes?.headers["x-alpinebits-clientprotocolversion"],
    });
  const sameIsKept = message.same_as !== null && (await findSenders(services.database, [message.same_as])).size > 0;
  return sendPage(reply, logDetailPage({ detail, curl: curl || undefined, property, sameIsKept, token: await formToken(reply) }));
}

export function transportOf(transport: MessageRow["transport"]): Transport {
  if (transport === "multipart" || transport === "form") return "alpinebits";
  return transport === "soap11" || transport === "soap12" ? transport : "raw";
}

const REPLAYED_HEADERS = ["content-type", "soapaction", "x-alpinebits-clientprotocolversion", "x-alpinebits-clientid"];

async function replay(services: DevNeeds, { message, bodies, notes }: MessageDetail, { request, reply }: Exchange): Promise<FastifyReply> {
  if (!bodies) throw new HttpException(409, `The body of message ${message.id} is no longer kept, so it cannot be replayed`);
  const headers = Object.fromEntries(Object.entries(notes?.headers ?? {}).filter(([name]) => REPLAYED_HEADERS.includes(name)));
  const { receipt, status } = await sendToChannel(services, request, { headers, body: bodies.request, dryRun: message.dry_run === 1 });
  const to = receipt === undefined ? path`/dev/logs/${message.id}` : path`/dev/logs/${receipt.id}`;
  const outcome = receipt?.verdict.outcome ?? "failed";
  return seeOther(reply, to, `Message #${message.id} was replayed. Outcome: ${outcome}, status ${status}.`);
}

/** `changes` is null for a dry run, or if the changed nights are no longer on record. */
export function entryJson({ message, bodies, notes, changes }: MessageDetail) {
  const type = notes?.headers["content-type"] ?? "";
  return {
    ...toRecord(message),
    notes,
    changes: changes.length === 0 && message.changed_nights > 0 ? null : changes.map(runJson),
    request: bodies && bodyText(bodies.request, type).raw,
    answer: bodies && bodyText(bodies.answer, "").raw,
  };
}
