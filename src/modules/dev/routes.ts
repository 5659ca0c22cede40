import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listMessages } from "../../journal/messages.ts";
import { actionOf, anyRoute } from "../../web/any-route.ts";
import { sendCsv } from "../../web/csv.ts";
import { readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { queryOf, wantsJson } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { endpointOf, needsNoCredentials } from "../channel/endpoint.ts";
import { messages } from "../channel/messages/index.ts";
import type { Module } from "../module.ts";
import { registerConsole } from "./console/console.ts";
import { curlCommand } from "./console/curl.ts";
import { exampleCodes, exampleHotel, findExample } from "./console/examples.ts";
import { devIndexPage } from "./index-page.ts";
import { registerLogEntry } from "./log/entry.ts";
import { exportMessages, messageColumns, messagesJson, toRecord } from "./log/export.ts";
import { logListPage } from "./log/list-page.ts";
import { readLogQuery } from "./log/query.ts";
import { REMOVAL_WORDS } from "./log/removal-query.ts";
import { removeConfirmed, sendPreview } from "./log/removal.ts";
import type { DevNeeds } from "./needs.ts";
import { raise } from "./raise.ts";

export const devModule: Module<DevNeeds> = {
  name: "dev",
  about: "For integrators: the message console and the message log.",
  tables: ["message", "message_body"],
  uses: ["channel"],
  jobs: ["prunes messages and past nights every hour"],
  async register(app, services) {
    anyRoute(app, { url: "/dev", about: "developer index" }, (request, reply) => sendIndex(services, request, reply));
    app.register(async (scope) => registerConsole(scope, services));
    registerLogs(app, services);
    registerLogEntry(app, services);
  },
};

async function sendIndex(services: DevNeeds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (actionOf(request) === "raise") raise(readTyped(request.body).kind ?? "");
  const endpoint = endpointOf(services, request);
  const xml = findExample("counts-of-a-week")!.xml(await exampleCodes(services, await exampleHotel(services)));
  const { messages: recent } = await listMessages(services.database, { limit: 10 });
  const curl = curlCommand({ url: endpoint, xml, open: await needsNoCredentials(services, request), transport: "raw" });
  if (wantsJson(request)) return sendJson(reply, { endpoint, curl, messages: recent.map(toRecord) });
  return sendPage(reply, devIndexPage({ endpoint, curl, recent, token: await formToken(reply) }));
}

function registerLogs(app: FastifyInstance, services: DevNeeds): void {
  const { database } = services;
  anyRoute(app, { url: "/dev/logs", about: "message log, newest first", words: REMOVAL_WORDS }, async (request, reply) => {
    if (actionOf(request) === "remove") return removeConfirmed(services, { request, reply });
    const typed = queryOf(request);
    if (typed.view === "removal") return sendPreview(services, typed, { request, reply });
    const query = readLogQuery(typed);
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
    if (query.format === "json") return sendJson(reply, await messagesJson(exportMessages(database, query.filters)));
    if (query.format === "csv")
      return sendCsv(reply, "messages", { columns: messageColumns, batches: exportMessages(database, query.filters) });
    return sendPage(reply, logListPage(query, await listMessages(database, query.filters), ROOTS));
  });
}

const ROOTS = messages.map(({ root }) => root);
