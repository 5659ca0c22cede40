import type { FastifyInstance, FastifyReply } from "fastify";
import type { ErrorEntry } from "../../errors/entry.ts";
import { ignoreRules } from "../../errors/rules.ts";
import { auditSubject, findGroup, readHourlyCounts } from "../../errors/storage/group-store.ts";
import { hasUngrouped } from "../../errors/storage/store.ts";
import { listAudit } from "../../records/audit.ts";
import { addAnyRoute } from "../../web/any-route.ts";
import { sendCsv } from "../../web/csv.ts";
import { readId, readTyped } from "../../web/form.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { readQuery } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { addIntakes } from "./intake/routes.ts";
import type { ErrorsDeps } from "./needs.ts";
import { errorDetailPage } from "./views/detail-page.ts";
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
import { type LogGaps, skippedByRule } from "./views/gaps.ts";
import { ACTION_WORDS, type ActionOutcome, changeEntryGroup, changeListedGroups, formAfter, sendOutcome } from "./views/group-form.ts";
import type { GroupView } from "./views/group-panel.ts";
import { errorGroupsPage } from "./views/groups-page.ts";
import { errorListPage, LIST_PATH } from "./views/list-page.ts";
import { type ErrorQuery, readErrorQuery } from "./views/query.ts";
import { errorAsMarkdown, groupSection, readExcerpts, entrySections } from "./views/sections.ts";
import { chartSpan, countDays, sparklineSpan } from "./views/trend.ts";

export const errorsModule: Module<ErrorsDeps> = {
  name: "errors",
  about: "Receives error reports from browsers and shows the error log.",
  tables: ["error_entry", "error_group", "error_hour", "error_drop", "error_size"],
  uses: [],
  jobs: ["prunes and groups entries every minute", "sends alerts to the webhook, if one is set, every two seconds"],
  async register(app, services) {
    addPages(app, services);
    await app.register(async (scope) => addIntakes(scope, services));
  },
};

function addPages(app: FastifyInstance, services: ErrorsDeps): void {
  addAnyRoute(
    app,
    { url: "/tools/errors", about: "error log, newest first", readsReplica: true, words: ACTION_WORDS, acts: "admin" },
    async (request, reply) => {
      const query = readErrorQuery(readQuery(request));
      const outcome = await changeListedGroups(services, request);
      const outcomeReply = sendOutcome(reply, outcome, withQuery(LIST_PATH, { ...readTyped(request.query), all: "" }));
      if (outcomeReply) return outcomeReply;
      if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
      return query.view === "groups" || outcome ? sendGroups(services, { query, reply, outcome }) : sendList(services, query, reply);
    },
  );
  addAnyRoute(
    app,
    { url: "/tools/errors/:id", about: "one error in detail", words: ACTION_WORDS, acts: "admin" },
    async (request, reply) => {
      const { id: typedId } = request.params as { id: string };
      const id = readId(typedId);
      const entry = id && (await services.errors.find(id));
      if (!entry) throw new NotFoundException(`Error '${typedId}' not found`);
      const outcome = await changeEntryGroup(services, request, entry);
      return sendOutcome(reply, outcome, path`/tools/errors/${entry.id}`) ?? sendEntry(services, { entry, reply, outcome });
    },
  );
}

async function sendList(services: ErrorsDeps, query: ErrorQuery, reply: FastifyReply): Promise<FastifyReply> {
  const { errors } = services;
  if (query.format === "csv")
    return sendCsv(reply, "errors", { columns: ENTRY_COLUMNS, batches: entryBatches(errors, query.filter, query) });
  const gaps = await listGaps(services);
  if (query.format === "json") return sendJson(reply, listJson(await readLongPage(errors, query.filter, query), gaps));
  return sendPage(reply, errorListPage(query, await errors.list(query.filter, query), gaps));
}

async function listGaps({ errors, config }: ErrorsDeps): Promise<LogGaps> {
  const skippedRules = skippedByRule(ignoreRules(config.values), await errors.listSkipped());
  return { skipped: skippedRules, trimmed: await errors.listTrimmed(), megabytes: config.values.KEEP_ERRORS_MB };
}

type GroupsRequest = { query: ErrorQuery; reply: FastifyReply; outcome: ActionOutcome };

async function sendGroups(services: ErrorsDeps, { query, reply, outcome }: GroupsRequest): Promise<FastifyReply> {
  const { errors, database, clock } = services;
  const { filter, order, after, limit } = query;
  if (query.format === "csv") return sendCsv(reply, "error-groups", { columns: GROUP_COLUMNS, batches: groupBatches(errors, query) });
  const groupPage = await errors.listGroups(filter, { order, after, limit });
  const ids = groupPage.groups.map(({ id }) => id);
  const hours = await readHourlyCounts(database, ids, sparklineSpan(clock.now()));
  const hasUngroupedEntries = await hasUngrouped(database);
  const gaps = await listGaps(services);
  if (query.format === "json") return sendJson(reply, groupsJson(groupPage, { hours, ungrouped: hasUngroupedEntries, gaps }));
  const form = await formAfter(reply, outcome);
  const selectedIds = query.all && outcome === undefined ? ids : form.selected;
  return sendPage(
    reply,
    errorGroupsPage(query, { found: groupPage, hours, ungrouped: hasUngroupedEntries, gaps, form: { ...form, selected: selectedIds } }),
  );
}

type EntryRequest = { entry: ErrorEntry; reply: FastifyReply; outcome: ActionOutcome };

async function sendEntry(services: ErrorsDeps, { entry, reply, outcome }: EntryRequest): Promise<FastifyReply> {
  const { format } = readQuery(reply.request);
  const group = await viewGroup(services, entry);
  if (format === "json") {
    const detail = { ...entry.detail, key: undefined };
    return sendJson(reply, { ...entryJson(entry), detail, inGroup: group ? groupJson(group) : null });
  }
  const excerpts = entry.source === "php" ? await readExcerpts(entry.detail.trace) : [];
  if (format !== "markdown") return sendPage(reply, errorDetailPage({ entry, excerpts, group, form: await formAfter(reply, outcome) }));
  reply.header("cache-control", "no-store").type("text/markdown; charset=utf-8");
  return reply.send(errorAsMarkdown(entry, [...entrySections(entry, excerpts), ...(group ? [groupSection(group.group)] : [])]));
}

async function viewGroup({ database, clock }: ErrorsDeps, { group: id }: ErrorEntry): Promise<GroupView | undefined> {
  const group = id === undefined ? undefined : await findGroup(database, id);
  if (!group) return undefined;
  const span = chartSpan(clock.now());
  const counts = await readHourlyCounts(database, [group.id], span);
  return { group, days: countDays(counts.get(group.id)!, span, clock.now()), changes: await listAudit(database, auditSubject(group.id)) };
}
