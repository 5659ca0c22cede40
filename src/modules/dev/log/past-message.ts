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
import { factRow } from "../../../web/parts/table.ts";
import { path } from "../../../web/path.ts";
import type { DevDeps } from "../needs.ts";

/** Sends what is left of a message that was deleted because of its age. Throws `NotFoundException` if nothing is left. */
export async function sendPast({ database }: DevDeps, reply: FastifyReply, idText: string): Promise<FastifyReply> {
  const { request } = reply;
  const id = readId(idText);
  const pastMessage = id && (await findPastMessage(database, id));
  if (!pastMessage) throw new NotFoundException(`Message '${idText}' not found`);
  requireProperty(request, pastMessage.property || undefined);
  if (actionOf(request) === "replay" || readTyped(request.query).body !== undefined)
    throw new NotFoundException(bodiesDeletedText(pastMessage));
  if (wantsJson(request)) return sendJson(reply, pastJson(pastMessage));
  const property = await findProperty(database, pastMessage.property);
  return sendPage(reply, pastPage(pastMessage, property?.timeZone));
}

function bodiesDeletedText({ message }: PastMessageRow): string {
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
        ${factRow("Received", momentAtProperty(at, timeZone))}
        ${factRow("Property", html`<a href="${path`/property/${property}`}">${property}</a>`)} ${factRow("Sender", sender ?? "unknown")}
        ${factRow("Last night", formatNight(night))}
      </dl>`,
  };
}
