import type { FastifyInstance, FastifyReply } from "fastify";
import type { MessageRow } from "../../../db/schema.ts";
import { runJson } from "../../../grid/changes.ts";
import { findMessage, findNeighbours, findOrigins, type MessageDetail, type NeighbourIds } from "../../../journal/messages.ts";
import { createAudit } from "../../../records/audit.ts";
import { findProperty } from "../../../records/property/store.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { requireProperty } from "../../../web/guard/grant.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../../web/html.ts";
import { HttpException, NotFoundException } from "../../../web/http-error.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../../web/page.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { momentAtProperty } from "../../../web/parts/moment.ts";
import { factRow } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { endpointUrl, needsNoCredentials } from "../../channel/endpoint.ts";
import type { Transport } from "../../channel/example.ts";
import { STANDARD_PROFILE } from "../../channel/profiles/presets.ts";
import { findIdentity } from "../../channel/senders/access.ts";
import { hasSender } from "../../channel/senders/store.ts";
import { curlCommand } from "../console/curl.ts";
import { sendAs, sendToChannel } from "../console/form.ts";
import { type DevDeps } from "../needs.ts";
import { bodyText, dropEncoding, MAX_SHOWN_CHARACTERS, shownBody } from "./body.ts";
import { changesSection } from "./changes-grid.ts";
import { sendComparison } from "./comparison-page.ts";
import { toRecord } from "./export.ts";
import { formatMilliseconds } from "./list-page.ts";
import { listMarks } from "./marked-lines.ts";
import { messageBadges, notesList } from "./message-parts.ts";
import { sendPast } from "./past-message.ts";

export function registerLogEntry(app: FastifyInstance, services: DevDeps): void {
  addAnyRoute(
    app,
    { url: "/dev/logs/:id", about: "one message in the log", tokens: { read: "read", property: "handler" } },
    async (request, reply) => {
      const { id: idText } = request.params as { id: string };
      const id = readId(idText);
      const detail = id && (await findMessage(services.database, id));
      if (!detail) return sendPast(services, reply, idText);
      requireProperty(request, detail.message.property ?? undefined);
      if (actionOf(request) === "replay") return replayMessage(services, detail, reply);
      const { body, compare } = readTyped(request.query);
      if (body === "request" || body === "answer") return sendBody(detail, body, reply);
      if (compare === "previous") return sendComparison(services, detail, reply);
      return wantsJson(request) ? sendJson(reply, entryJson(detail)) : sendEntry(services, detail, reply);
    },
  );
}

/** Sends the raw body as plain text, so that browsers do not run it and its line numbers match the notes. */
function sendBody({ message, bodies, notes }: MessageDetail, name: "request" | "answer", reply: FastifyReply): FastifyReply {
  if (!bodies) throw new NotFoundException(`Bodies of message '${message.id}' not found`);
  const { raw } = bodyText(bodies[name], (name === "request" && notes?.headers["content-type"]) || "");
  return reply.type("text/plain; charset=utf-8").header("cache-control", "no-store").send(raw);
}

async function sendEntry(services: DevDeps, detail: MessageDetail, reply: FastifyReply): Promise<FastifyReply> {
  const { message, bodies, notes } = detail;
  const property = message.property === null ? undefined : await findProperty(services.database, message.property);
  const requestText = bodies && bodyText(bodies.request, notes?.headers["content-type"] ?? "");
  const curl =
    requestText?.exact &&
    curlCommand({
      url: endpointUrl(services, reply.request),
      xml: dropEncoding(requestText.document),
      open: await needsNoCredentials(services, reply.request),
      transport: consoleTransport(message.transport),
      action: message.action ?? undefined,
      version: notes?.headers["x-alpinebits-clientprotocolversion"],
    });
  const relatedIds = [message.same_as, notes?.original].filter((one) => typeof one === "number");
  const storedOrigins = await findOrigins(services.database, relatedIds);
  const neighbours = await findNeighbours(services.database, message);
  const token = await formToken(reply);
  return sendPage(reply, logDetailPage({ detail, curl: curl || undefined, property, kept: storedOrigins, neighbours, token }));
}

export function consoleTransport(transport: MessageRow["transport"]): Transport {
  if (transport === "multipart" || transport === "form") return "alpinebits";
  return transport === "json" || transport === "soap11" || transport === "soap12" ? transport : "raw";
}

const REPLAYED_HEADERS = ["content-type", "soapaction", "x-alpinebits-clientprotocolversion", "x-alpinebits-clientid"];

/** Sends the message again as its sender, with the sender's current scope, profile and codes. */
async function replayMessage(services: DevDeps, { message, bodies, notes }: MessageDetail, reply: FastifyReply): Promise<FastifyReply> {
  if (message.via === "record") throw new HttpException(409, `Message ${message.id} is a rate plan edit, so it cannot be replayed`);
  if (!bodies) throw new HttpException(409, `The body of message ${message.id} is no longer available, so it cannot be replayed`);
  const { database, clock } = services;
  const { request } = reply;
  const headers = Object.fromEntries(Object.entries(notes?.headers ?? {}).filter(([name]) => REPLAYED_HEADERS.includes(name)));
  const replayedRequest = { headers, body: bodies.request, dryRun: message.dry_run === 1, original: message.id };
  const who = message.sender === null ? undefined : await findIdentity(database, message.sender);
  if (!who && message.sender !== null && message.via === "channel" && (await hasSender(database))) throw senderDeletedError(message.sender);
  const { receipt, status } = who
    ? await sendAs(services, request, { ...replayedRequest, who })
    : await sendToChannel(services, request, { ...replayedRequest, sender: { profile: STANDARD_PROFILE, hotel: message.property ?? "" } });
  await createAudit(database.write, { ...request.by, at: clock.now(), action: "replay", subject: `message:${message.id}`, changes: [] });
  const to = path`/dev/logs/${receipt?.id ?? message.id}`;
  const outcome = receipt?.verdict.outcome ?? "failed";
  return seeOther(reply, to, `Message #${message.id} was replayed. Outcome: ${outcome}, status ${status}.`);
}

function senderDeletedError(sender: string): HttpException {
  return new HttpException(
    409,
    `Connection '${sender}' does not exist, so the message cannot be replayed as its sender. Open it in the console.`,
  );
}

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

export type LogEntryView = {
  detail: MessageDetail;
  curl: string | undefined;
  property: { timeZone: string } | undefined;
  /** The related messages that are still in the log. */
  kept: ReadonlyMap<number, unknown>;
  neighbours: NeighbourIds;
  token: string;
};

export function logDetailPage(entry: LogEntryView): Page {
  const { detail, curl, token } = entry;
  const { message, notes, changes } = detail;
  return {
    title: `Message #${message.id}`,
    wide: true,
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`<p class="lead"><b>${outcomeText(message)}</b> ${isolateDirections(message.summary)}</p>
      ${neighbourLinks(entry)} ${factsSection(entry)}
      ${
        notes
          ? html`<section>
              <h2>Notes</h2>
              ${emptyNotes(detail)}${notesList(notes)}
            </section>`
          : emptyHtml
      }
      <section class="changed">
        <h2>${message.dry_run === 1 ? "Changes (dry run)" : "Changes"}</h2>
        ${
          message.dry_run === 1 && message.changed_nights > 0
            ? html`<p>${formatCount(message.changed_nights, "night")} would have changed. A dry run stores only this log entry.</p>`
            : changesSection({ property: message.property ?? undefined, nights: message.changed_nights, changes })
        }
      </section>
      ${bodySections(detail)} ${detail.bodies && message.via !== "record" ? replaySection(detail, { curl, token }) : emptyHtml}`,
  };
}

/** Describes the outcome of the message. */
function outcomeText({ outcome, dry_run: dryRun, changed_nights: nights }: MessageRow): string {
  if (outcome !== "ok" && outcome !== "warnings")
    return outcome === "failed" ? "Failed; nothing was stored." : "Refused; nothing was stored.";
  const acceptedText = outcome === "warnings" ? "Accepted with warnings" : "Accepted";
  if (dryRun === 1) return `${acceptedText} in a dry run; nothing was stored.`;
  return nights === 0 ? `${acceptedText}; no nights changed.` : `${acceptedText}; ${formatCount(nights, "night")} changed.`;
}

function neighbourLinks({ neighbours: { before, after }, detail: { message } }: LogEntryView): Html {
  if (before === undefined && after === undefined) return emptyHtml;
  const of = message.property === null ? "" : ` for ${message.property}`;
  return html`<nav class="pager" aria-label="Previous and next messages${of}">
    <ul>
      ${before === undefined ? emptyHtml : html`<li><a href="${path`/dev/logs/${before}`}" rel="prev">Previous${of}</a></li>`}
      ${after === undefined ? emptyHtml : html`<li><a href="${path`/dev/logs/${after}`}" rel="next">Next${of}</a></li>`}
    </ul>
  </nav>`;
}

function emptyNotes({ notes }: MessageDetail): Html {
  const hasNoNotes = notes && notes.errors.length + notes.warnings.length + notes.advisories.length + notes.ignored.length === 0;
  return hasNoNotes ? html`<p>No errors or warnings, and nothing was ignored.</p>` : emptyHtml;
}

function factsSection({ detail: { message, notes }, property, kept: storedOrigins }: LogEntryView): Html {
  return html`<dl class="facts">
    <dt>Outcome</dt>
    <dd>${messageBadges(message)} HTTP status ${message.status}</dd>
    <dt>Received</dt>
    <dd>${momentAtProperty(message.received_at, property?.timeZone)}; response time ${formatMilliseconds(message.micros)} ms</dd>
    <dt>Property</dt>
    <dd>${propertyName(message.property, property)} ${allMessagesLink("property", message.property)}</dd>
    <dt>Message</dt>
    <dd>
      ${message.via === "record" ? "rate plan edit" : html`${message.root ?? "not recognised"}, ${formatCount(message.lines, "line")}`}
    </dd>
    <dt>Transport</dt>
    <dd>${message.transport}${message.action === null ? emptyHtml : html`, action <code>${message.action}</code>`}</dd>
    <dt>Size</dt>
    <dd>${formatNumber(message.request_bytes)} bytes in, ${formatNumber(message.answer_bytes)} bytes out</dd>
    <dt>Sender</dt>
    <dd>
      ${message.sender ?? "unknown"}, via ${message.via}${message.remote === null ? emptyHtml : html` from ${message.remote}`}
      ${allMessagesLink("sender", message.sender)}
    </dd>
    ${factRow("EchoToken", message.echo_token)} ${factRow("TimeStamp", message.stamp)}
    ${notes?.original === undefined ? emptyHtml : factRow("Replay of", relatedLink(notes.original, storedOrigins))}
    ${message.same_as === null ? emptyHtml : factRow("Duplicate", html`same body as ${relatedLink(message.same_as, storedOrigins)}`)}
  </dl>`;
}

function relatedLink(id: number, storedOrigins: LogEntryView["kept"]): Html {
  return storedOrigins.has(id) ? html`<a href="${path`/dev/logs/${id}`}">#${id}</a>` : html`#${id} (deleted)`;
}

function propertyName(code: string | null, property: LogEntryView["property"]): Html {
  if (code === null) return html`–`;
  return property === undefined ? html`${code}` : html`<a href="${path`/property/${code}`}">${code}</a>`;
}

function allMessagesLink(filter: "property" | "sender", value: string | null): Html {
  if (value === null) return emptyHtml;
  return html`·
    <a href="${withQuery(path`/dev/logs`, { [filter]: value })}">all messages<span class="visually-hidden"> with this ${filter}</span></a>`;
}

function bodySections({ message: { id, root }, bodies, notes }: MessageDetail): Html {
  if (!bodies)
    return html`<section>
      <h2>Request and response</h2>
      <p>No longer available (expired or deleted).</p>
    </section>`;
  const { headers = {} } = notes ?? {};
  const request = bodyText(bodies.request, headers["content-type"] ?? "");
  return html`<section>
      <h2>Request</h2>
      <p>${mapHtml(Object.entries(headers), ([name, value]) => html`<code>${name}: ${value}</code><br />`)}</p>
      ${root === null ? emptyHtml : html`<p><a href="${withQuery(path`/dev/logs/${id}`, { compare: "previous" })}">Compare with previous</a></p>`}
      ${shownBody({
        ...{ label: "Request", document: request.document || request.raw, raw: rawBodyPath(id, "request") },
        marks: notes ? listMarks(notes) : [],
      })}
    </section>
    <section>
      <h2>Response</h2>
      ${shownBody({ label: "Response", document: bodyText(bodies.answer, "").raw, raw: rawBodyPath(id, "answer") })}
    </section>`;
}

export function rawBodyPath(id: number, body: "request" | "answer"): Path {
  return withQuery(path`/dev/logs/${id}`, { body });
}

function replaySection({ message }: MessageDetail, { curl, token }: Pick<LogEntryView, "curl" | "token">): Html {
  return html`<section>
    <h2>Replay</h2>
    ${ifAllowed(replayForm(message, token))}
    ${
      curl === undefined || curl.length > MAX_SHOWN_CHARACTERS
        ? noCurlHint(curl)
        : html`<p><button type="button" class="small" data-copy="curl">Copy as curl</button></p>
            <pre id="curl" tabindex="0">${curl}</pre>`
    }
  </section>`;
}

function noCurlHint(curl: string | undefined): Html {
  const reason = curl === undefined ? "The body is not valid text in its declared encoding" : "The message is too long";
  return html`<p class="hint">No curl command. ${reason}.</p>`;
}

function replayForm({ id, sender }: MessageRow, token: string): Html {
  return html`<details class="panel">
      <summary>Replay this message</summary>
      <p>
        Sends the message
        again${sender === null ? emptyHtml : html` as <b>${isolateDirections(sender)}</b>, with its profile and code mapping`}. Newer values
        for the same nights are replaced.
      </p>
      <form method="post" action="${path`/dev/logs/${id}`}">
        ${tokenField(token)}<input type="hidden" name="action" value="replay" />
        <p class="actions"><button type="submit">Replay</button></p>
      </form>
    </details>
    <p class="actions"><a class="button" href="${withQuery(path`/dev/channel`, { message: id })}">Open in console</a></p>`;
}
