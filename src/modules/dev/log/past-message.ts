import type { FastifyReply } from "fastify";
import { formatNight } from "../../../calendar/night.ts";
import type { PastMessageRow } from "../../../db/schema.ts";
import { findPastMessage } from "../../../journal/messages.ts";
import { findProperty } from "../../../records/property/store.ts";
import { actionOf } from "../../../web/any-route.ts";
import { readId, readTyped } from "../../../web/form.ts";
import { requireProperty } from "../../../web/guard/grant.ts";
import { html } from "../../../web/html.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { type Page, sendPage } from "../../../web/page.ts";
import { momentAtProperty } from "../../../web/parts/moment.ts";
import { fact } from "../../../web/parts/table.ts";
import { path } from "../../../web/path.ts";
import type { DevNeeds } from "../needs.ts";

/** Sends what is left of a message that was deleted because of its age. Throws `NotFoundException` if nothing is left. */
export async function sendPast({ database }: DevNeeds, reply: FastifyReply, idText: string): Promise<FastifyReply> {
  const { request } = reply;
  const id = readId(idText);
  const past = id && (await findPastMessage(database, id));
  if (!past) throw new NotFoundException(`Message '${idText}' not found`);
  requireProperty(request, past.property || undefined);
  if (actionOf(request) === "replay" || readTyped(request.query).body !== undefined) throw new NotFoundException(bodiesGone(past));
  if (wantsJson(request)) return sendJson(reply, pastJson(past));
  const property = await findProperty(database, past.property);
  return sendPage(reply, pastPage(past, property?.timeZone));
}

function bodiesGone({ message }: PastMessageRow): string {
  return `Message ${message} expired, so its request and response are no longer available.`;
}

function pastJson({ message, property, received_at: at, sender, last_night: night }: PastMessageRow) {
  return { id: message, receivedAt: new Date(at).toISOString(), property, sender, lastNight: formatNight(night), expired: true };
}

function pastPage({ message, property, received_at: at, sender, last_night: night }: PastMessageRow, timeZone: string | undefined): Page {
  return {
    title: `Message #${message}`,
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a>`,
    main: html`<p>This message expired and was deleted from the log. The nights it set are kept.</p>
      <dl class="facts">
        ${fact("Received", momentAtProperty(at, timeZone))}
        ${fact("Property", html`<a href="${path`/property/${property}`}">${property}</a>`)} ${fact("Sender", sender ?? "unknown")}
        ${fact("Last night", formatNight(night))}
      </dl>`,
  };
}
