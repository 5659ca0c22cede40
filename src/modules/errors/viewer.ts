import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anyRoute } from "../../web/any-route.ts";
import { type CsvColumn, sendCsv, sendFaults, sendJson } from "../../web/export.ts";
import { readId } from "../../web/form.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { queryOf } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { localMoment } from "../../web/parts/moment.ts";
import type { Services } from "../module.ts";
import { errorDetailPage } from "./detail-page.ts";
import { caughtWord, type ErrorEntry, type ErrorSummary } from "./entry.ts";
import { type ErrorQuery, readErrorQuery } from "./error-query.ts";
import { readExcerpt } from "./excerpt.ts";
import { errorGroupsPage } from "./groups-page.ts";
import { type ErrorGroup, groupErrors } from "./groups.ts";
import { errorListPage } from "./list-page.ts";
import type { ErrorPage } from "./list-store.ts";
import { errorAsMarkdown } from "./markdown.ts";
import { sectionsOf } from "./sections.ts";

/** The pages of the error log; the tools module registers them among its own. */
export function registerErrorPages(app: FastifyInstance, { errors }: Pick<Services, "errors">): void {
  anyRoute(app, { url: "/tools/errors", about: "error log, newest first" }, async (request, reply) => {
    const query = readErrorQuery(queryOf(request));
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
    const found = await errors.list(query.filter, { before: query.before, limit: query.limit });
    if (query.view === "groups") return answerGroups(query, found, reply);
    if (query.format === "json") return sendJson(reply, listAsJson(found));
    if (query.format === "csv") return sendCsv(reply, "errors", { columns: CSV_COLUMNS, batches: [found.entries] });
    return sendPage(reply, errorListPage(query, found));
  });
  anyRoute(app, { url: "/tools/errors/:id", about: "one error in detail" }, async (request, reply) => {
    const { id: asked } = request.params as { id: string };
    const id = readId(asked);
    const entry = id && (await errors.find(id));
    if (!entry) throw new NotFoundException(`Error '${asked}' not found`);
    return answerEntry(entry, request, reply);
  });
}

function answerGroups(query: ErrorQuery, found: ErrorPage, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const groups = groupErrors(found.entries, query.order);
  if (query.format === "json") return sendJson(reply, { groups: groups.map(groupJson), entries: found.entries.length });
  if (query.format === "csv") return sendCsv(reply, "error-groups", { columns: GROUP_COLUMNS, batches: [groups] });
  return sendPage(reply, errorGroupsPage(query, groups, found));
}

function groupJson({ firstAt, lastAt, ...group }: ErrorGroup) {
  return { ...group, firstAt: new Date(firstAt).toISOString(), lastAt: new Date(lastAt).toISOString() };
}

const GROUP_COLUMNS: readonly CsvColumn<ErrorGroup>[] = [
  { head: "Times", cell: (group) => group.count },
  { head: "Last", cell: (group) => localMoment(group.lastAt) },
  { head: "First", cell: (group) => localMoment(group.firstAt) },
  { head: "Class", cell: (group) => group.class },
  { head: "Message", cell: (group) => group.message },
  { head: "Source", cell: (group) => group.source },
  { head: "Id", cell: (group) => group.lastId },
];

async function answerEntry(entry: ErrorEntry, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { format } = queryOf(request);
  if (format === "json") return sendJson(reply, { ...toJson(entry), detail: entry.detail });
  const { file, line } = entry.detail.object;
  const excerpt = entry.source === "php" ? await readExcerpt(file, line) : undefined;
  if (format !== "markdown") return sendPage(reply, errorDetailPage(entry, excerpt));
  reply.header("cache-control", "no-store").type("text/markdown; charset=utf-8");
  return reply.send(errorAsMarkdown(entry, sectionsOf(entry, excerpt)));
}

/** `next` is the id to ask for `before`, null at the end. */
function listAsJson({ entries, next, searchedTo }: ErrorPage) {
  return {
    errors: entries.map(toJson),
    next: next ?? null,
    ...(searchedTo !== undefined && { searchedTo: new Date(searchedTo).toISOString() }),
  };
}

/** `date` and `caught` as the list shows them, `at` in UTC. */
function toJson({ id, at, class: name, message, source, caught, status, group }: ErrorSummary) {
  return {
    id,
    date: localMoment(at),
    at: new Date(at).toISOString(),
    class: name,
    message,
    source,
    caught: caughtWord(caught),
    status: status ?? null,
    group: group ?? null,
  };
}

const CSV_COLUMNS: readonly CsvColumn<ErrorSummary>[] = [
  { head: "Date", cell: (entry) => localMoment(entry.at) },
  { head: "Class", cell: (entry) => entry.class },
  { head: "Message", cell: (entry) => entry.message },
  { head: "Source", cell: (entry) => entry.source },
  { head: "Caught", cell: (entry) => caughtWord(entry.caught) },
  { head: "Status", cell: (entry) => entry.status },
  { head: "Id", cell: (entry) => entry.id },
];
