import type { FastifyInstance, FastifyReply } from "fastify";
import { listAudit } from "../../db/audit.ts";
import { rulesOf } from "../../errors/describe/ignore.ts";
import type { ErrorEntry } from "../../errors/entry.ts";
import { findGroup, readHours } from "../../errors/storage/group-store.ts";
import { subjectOf } from "../../errors/storage/group.ts";
import { hasUngrouped } from "../../errors/storage/ungrouped-store.ts";
import { anyRoute } from "../../web/any-route.ts";
import { sendCsv } from "../../web/csv.ts";
import { readId, readTyped } from "../../web/form.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { queryOf } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Services } from "../module.ts";
import { ACTION_WORDS } from "./views/action-form.ts";
import type { Gaps } from "./views/cut-note.ts";
import { errorDetailPage } from "./views/detail-page.ts";
import { leftOutBy } from "./views/drops-note.ts";
import {
  ENTRY_COLUMNS,
  entryBatches,
  entryJson,
  GROUP_COLUMNS,
  groupBatches,
  groupJson,
  groupsJson,
  listJson,
  readLongPage,
} from "./views/exports.ts";
import { type Acted, actOnEntry, actOnGroups, answerActed, formAfter } from "./views/group-actions.ts";
import type { GroupView } from "./views/group-panel.ts";
import { errorGroupsPage } from "./views/groups-page.ts";
import { errorListPage } from "./views/list-page.ts";
import { errorAsMarkdown } from "./views/markdown.ts";
import { type ErrorQuery, readErrorQuery } from "./views/query.ts";
import { groupSection, sectionsOf } from "./views/sections.ts";
import { readExcerpts } from "./views/source-lines.ts";
import { countDays, lastDay, lastDays } from "./views/trend.ts";
import { LIST } from "./views/view-page.ts";

type Shown = Pick<Services, "errors" | "database" | "clock" | "config">;

/** The pages of the error log. */
export function registerErrorPages(app: FastifyInstance, services: Shown): void {
  anyRoute(app, { url: "/tools/errors", about: "error log, newest first", words: ACTION_WORDS }, async (request, reply) => {
    const query = readErrorQuery(queryOf(request));
    const acted = await actOnGroups(services, request);
    const answered = answerActed(reply, acted, withQuery(LIST, { ...readTyped(request.query), all: "" }));
    if (answered) return answered;
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
    return query.view === "groups" || acted ? answerGroups(services, { query, reply, acted }) : answerList(services, query, reply);
  });
  anyRoute(app, { url: "/tools/errors/:id", about: "one error in detail", words: ACTION_WORDS }, async (request, reply) => {
    const { id: asked } = request.params as { id: string };
    const id = readId(asked);
    const entry = id && (await services.errors.find(id));
    if (!entry) throw new NotFoundException(`Error '${asked}' not found`);
    const acted = await actOnEntry(services, request, entry);
    return answerActed(reply, acted, path`/tools/errors/${entry.id}`) ?? answerEntry(services, { entry, reply, acted });
  });
}

async function answerList(services: Shown, query: ErrorQuery, reply: FastifyReply): Promise<FastifyReply> {
  const { errors } = services;
  if (query.format === "csv")
    return sendCsv(reply, "errors", { columns: ENTRY_COLUMNS, batches: entryBatches(errors, query.filter, query) });
  const gaps = await listGaps(services);
  if (query.format === "json") return sendJson(reply, listJson(await readLongPage(errors, query.filter, query), gaps));
  return sendPage(reply, errorListPage(query, await errors.list(query.filter, query), gaps));
}

async function listGaps({ errors, config }: Shown): Promise<Gaps> {
  const leftOut = leftOutBy(rulesOf(config.values), await errors.listDrops());
  return { leftOut, cuts: await errors.listCuts(), megabytes: config.values.KEEP_ERRORS_MB };
}

type GroupsRequest = { query: ErrorQuery; reply: FastifyReply; acted: Acted };

async function answerGroups(services: Shown, { query, reply, acted }: GroupsRequest): Promise<FastifyReply> {
  const { errors, database, clock } = services;
  const { filter, order, after, limit } = query;
  if (query.format === "csv") return sendCsv(reply, "error-groups", { columns: GROUP_COLUMNS, batches: groupBatches(errors, query) });
  const found = await errors.listGroups(filter, { order, after, limit });
  const ids = found.groups.map(({ id }) => id);
  const hours = await readHours(database, ids, lastDay(clock.now()));
  const ungrouped = await hasUngrouped(database);
  const gaps = await listGaps(services);
  if (query.format === "json") return sendJson(reply, groupsJson(found, { hours, ungrouped, gaps }));
  const form = await formAfter(reply, acted);
  const chosen = query.all && acted === undefined ? ids : form.chosen;
  return sendPage(reply, errorGroupsPage(query, { found, hours, ungrouped, gaps, form: { ...form, chosen } }));
}

type EntryRequest = { entry: ErrorEntry; reply: FastifyReply; acted: Acted };

async function answerEntry(services: Shown, { entry, reply, acted }: EntryRequest): Promise<FastifyReply> {
  const { format } = queryOf(reply.request);
  const group = await viewGroup(services, entry);
  if (format === "json") {
    // What is stored has a key of the recorder, too.
    const detail = { ...entry.detail, key: undefined };
    return sendJson(reply, { ...entryJson(entry), detail, inGroup: group ? groupJson(group) : null });
  }
  const excerpts = entry.source === "php" ? await readExcerpts(entry.detail.trace) : [];
  if (format !== "markdown") return sendPage(reply, errorDetailPage({ entry, excerpts, group, form: await formAfter(reply, acted) }));
  reply.header("cache-control", "no-store").type("text/markdown; charset=utf-8");
  return reply.send(errorAsMarkdown(entry, [...sectionsOf(entry, excerpts), ...(group ? [groupSection(group.group)] : [])]));
}

async function viewGroup({ database, clock }: Shown, { group: id }: ErrorEntry): Promise<GroupView | undefined> {
  const group = id === undefined ? undefined : await findGroup(database, id);
  if (!group) return undefined;
  const span = lastDays(clock.now());
  const counts = await readHours(database, [group.id], span);
  return { group, days: countDays(counts.get(group.id)!, span, clock.now()), changes: await listAudit(database, subjectOf(group.id)) };
}
