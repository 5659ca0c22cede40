import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DAY_MS } from "../../calendar/night.ts";
import type { MessageRow } from "../../db/schema.ts";
import { readPropertyPage } from "../../grid/property-page.ts";
import { countByTime, type MessageHistogram } from "../../journal/message-histogram.ts";
import { listMessages } from "../../journal/messages.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { sendCsv } from "../../web/csv.ts";
import { readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { mapHtml, type Html, html } from "../../web/html.ts";
import { AccessException, EMPTY_XML_TEXT, HttpException, NotFoundException, ValueError } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { readQuery, wantsJson } from "../../web/negotiate.ts";
import { type Page, sendPage } from "../../web/page.ts";
import { tokenField } from "../../web/parts/fields.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { keptNights } from "../../web/parts/property-header.ts";
import { path } from "../../web/path.ts";
import { endpointUrl, needsNoCredentials } from "../channel/endpoint.ts";
import { publishedMessages } from "../channel/messages/index.ts";
import type { Module } from "../module.ts";
import { registerConsole } from "./console/console.ts";
import { curlCommand } from "./console/curl.ts";
import { exampleCodes, exampleHotel, findExample } from "./console/examples.ts";
import { registerDocs } from "./docs/routes.ts";
import { sendCauses } from "./log/causes.ts";
import { registerLogEntry } from "./log/entry.ts";
import { exportMessages, messageColumns, messagesJson, toRecord } from "./log/export.ts";
import { logListPage, messageTable } from "./log/list-page.ts";
import { registerLive } from "./log/live.ts";
import { MessageStreams } from "./log/message-streams.ts";
import { type LogQuery, readLogQuery } from "./log/query.ts";
import { REMOVAL_WORDS, removeConfirmed, sendPreview } from "./log/removal.ts";
import { type DevDeps } from "./needs.ts";
import { registerSenders } from "./senders/routes.ts";
import { registerWebhooks } from "./webhooks/routes.ts";

export const devModule: Module<DevDeps> = {
  name: "dev",
  about: "For integrators: the message console and the message log.",
  tables: ["message", "message_body", "webhook", "webhook_delivery"],
  uses: ["channel"],
  jobs: ["prunes messages and past nights every hour", "delivers webhooks every second"],
  async register(app, services) {
    addAnyRoute(app, { url: "/dev", about: "developer index" }, (request, reply) => sendIndex(services, request, reply));
    app.register(async (scope) => registerConsole(scope, services));
    const streams = new MessageStreams(app, services.database);
    registerSenders(app, services, streams);
    registerWebhooks(app, services);
    registerDocs(app);
    registerLogs(app, services);
    registerLive(app, streams);
    registerLogEntry(app, services);
  },
};

async function sendIndex(services: DevDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (actionOf(request) === "raise") raiseError(readTyped(request.body).kind ?? "");
  const endpoint = endpointUrl(services, request);
  const xml = findExample("counts-of-a-week")!.xml(await exampleCodes(services, await exampleHotel(services)));
  const { messages: recent } = await listMessages(services.database, { limit: 10 });
  const curl = curlCommand({ url: endpoint, xml, open: await needsNoCredentials(services, request), transport: "raw" });
  if (wantsJson(request)) return sendJson(reply, { endpoint, curl, messages: recent.map(toRecord) });
  return sendPage(reply, devIndexPage({ endpoint, curl, recent, token: await formToken(reply) }));
}

function registerLogs(app: FastifyInstance, services: DevDeps): void {
  const { database } = services;
  addAnyRoute(
    app,
    {
      url: "/dev/logs",
      about: "message log, newest first",
      readsReplica: true,
      words: REMOVAL_WORDS,
      acts: "admin",
      tokens: { read: "read", property: "property" },
    },
    async (request, reply) => {
      if (actionOf(request) === "remove") return removeConfirmed(services, reply);
      const typed = readQuery(request);
      if (typed.view === "removal") {
        if (request.user?.grant)
          throw new AccessException(403, "API tokens cannot use this view, which lists deletions for all properties.");
        return sendPreview(services, typed, reply);
      }
      const query = readLogQuery(typed);
      if (typed.view === "causes") return sendCauses(services, { ...query, roots: MESSAGE_ROOTS }, reply);
      if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
      if (query.format === "json") return sendJson(reply, await messagesJson(exportMessages(database, query.filters)));
      if (query.format === "csv")
        return sendCsv(reply, "messages", { columns: messageColumns, batches: exportMessages(database, query.filters) });
      const now = services.clock.now();
      const [found, property, histogram] = await Promise.all([
        listMessages(database, query.filters),
        readHeader(services, query),
        query.filters.before === undefined ? readHistogram(services, query, now) : undefined,
      ]);
      return sendPage(reply, { ...logListPage(query, { found, histogram, roots: MESSAGE_ROOTS, now }), property });
    },
  );
}

/** Counts messages in the selected time range, which defaults to the last 24 hours. */
function readHistogram({ database }: DevDeps, { filters }: LogQuery, now: number): Promise<MessageHistogram> {
  const to = Math.min(filters.to ?? now, now);
  return countByTime(database, { ...filters, from: filters.from ?? to - DAY_MS, to });
}

/** Returns the property header, or undefined unless the log is filtered by one existing property. */
async function readHeader({ database }: DevDeps, { typed }: LogQuery) {
  if (!typed.property) return undefined;
  return readPropertyPage(database, typed.property, { tab: "messages", nights: keptNights(typed) });
}

const MESSAGE_ROOTS = publishedMessages.map(({ root }) => root);

export type DevIndex = { endpoint: string; curl: string; recent: readonly MessageRow[]; token: string };

export function devIndexPage({ endpoint, curl, recent, token }: DevIndex): Page {
  return {
    title: "Developers",
    lead: "Send test messages, check the responses and search the message log.",
    main: html`<ul class="cards">
        ${ifAllowed(consoleCard)}
        <li>
          <h2><a href="${path`/dev/senders`}">Connections</a></h2>
          <p>The systems that may post to /channel, with their health, instructions, code mappings and refusals.</p>
        </li>
        <li>
          <h2><a href="${path`/dev/logs`}">Message log</a></h2>
          <p>Every message with its response and the changes it made.</p>
        </li>
        <li>
          <h2><a href="${path`/channel`}">Channel</a></h2>
          <p>Endpoint, credentials and supported messages.</p>
        </li>
        <li>
          <h2><a href="${path`/dev/docs`}">Documentation</a></h2>
          <p>Every message, error and warning, with examples.</p>
        </li>
      </ul>
      <h2>Send a message</h2>
      <p>Property systems and channel managers post to <code>${endpoint}</code>:</p>
      <p><button type="button" class="small" data-copy="curl">Copy</button></p>
      <pre id="curl" tabindex="0">${curl}</pre>
      <h2>Recent messages</h2>
      ${recent.length === 0 ? html`<p class="empty">No messages yet.</p>` : messageTable(recent)} ${ifAllowed(raiseForm(token))}`,
  };
}

const consoleCard = html`<li>
  <h2><a href="${path`/dev/channel`}">Console</a></h2>
  <p>Choose or paste a message, check it in a dry run, then send it.</p>
</li>`;

function raiseForm(token: string): Html {
  return html`<h2>Raise a test error</h2>
    <p>Throws a real error so that you can see it in the <a href="${path`/tools/errors`}">error log</a>.</p>
    <form method="post" action="${path`/dev`}">
      ${tokenField(token)}<input type="hidden" name="action" value="raise" />
      <p class="field">
        <label for="f-kind">Error</label>
        <select id="f-kind" name="kind">
          ${mapHtml(Object.entries(ERROR_RAISERS), ([kind, { about }]) => html`<option value="${kind}">${kind}: ${about}</option>`)}
        </select>
      </p>
      <p class="actions"><button type="submit" class="danger">Raise error</button></p>
    </form>`;
}

export const ERROR_RAISERS: Readonly<Record<string, { about: string; raise(): void }>> = {
  "not-found": { about: "a missing record", raise: () => throwError(new NotFoundException("Record 'raised-at-/dev' not found")) },
  http: { about: "a conflict (HTTP 409)", raise: () => throwError(new HttpException(409, "Test error raised at /dev")) },
  template: { about: "null in a template", raise: raiseTemplate },
  value: { about: "an empty document passed to the XML loader", raise: () => throwError(new ValueError(EMPTY_XML_TEXT)) },
  unexpected: { about: "a bug in the code", raise: raiseUnexpected },
};

export function raiseError(kind: string): void {
  if (Object.hasOwn(ERROR_RAISERS, kind)) ERROR_RAISERS[kind]?.raise();
}

function throwError(error: Error): never {
  throw error;
}

function raiseTemplate(): never {
  const absentValue = null as unknown as string;
  throw new Error(`A null was rendered as ${html`<p>${absentValue}</p>`.text}`);
}

function raiseUnexpected(): void {
  const rooms = JSON.parse("null") as { count: number };
  rooms.count += 1;
}
