import type { FastifyInstance, FastifyReply } from "fastify";
import { findKind, type ImportedRecord, type ImportKind } from "../../records/import/kinds.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { csvText } from "../../web/csv.ts";
import { type Faults, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { HttpException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { readSelection, selectionFault } from "../../web/parts/selection.ts";
import { path, withQuery } from "../../web/path.ts";
import { changeFaults, readChanges } from "./bulk-form.ts";
import { bulkPage } from "./bulk-page.ts";
import { type BulkTarget, bulkTargets } from "./bulk-targets.ts";
import { startReading, type ImportRouteDeps } from "./import-route.ts";
import { storeBulkEdit } from "./upload.ts";

type BulkSelection = { target: BulkTarget; kind: ImportKind; chosen: readonly string[]; source: unknown };

export function addBulkRoute(app: FastifyInstance, services: ImportRouteDeps): void {
  const targets = bulkTargets(services);
  addAnyRoute(app, { url: "/tools/import/edit", about: "edits many records at once", access: "editor" }, (request, reply) => {
    const isEditAction = actionOf(request) === "edit";
    const bulkSelection = readSelected(targets, isEditAction ? request.body : request.query);
    return isEditAction ? applyBulkEdit(services, bulkSelection, reply) : showForm(bulkSelection, {}, reply);
  });
}

function readSelected(targets: readonly BulkTarget[], source: unknown): BulkSelection {
  const { kind: name = "property" } = readTyped(source);
  const [target, kind] = [targets.find((one) => one.kind === name), findKind(name)];
  if (!target || !kind) throw new HttpException(422, "Choose what to edit: property or category");
  if (target.hasFault(source)) throw new HttpException(422, "Correct the list's filters first");
  return { target, kind, chosen: readSelection(source) ?? [], source };
}

async function showForm({ target, kind, chosen, source }: BulkSelection, faults: Faults, reply: FastifyReply): Promise<FastifyReply> {
  const typed = readTyped(source);
  const filters = readListFilters(target, typed);
  const count = await target.count(source);
  if (wantsJson(reply.request))
    return Object.keys(faults).length > 0
      ? sendFaults(reply, faults)
      : sendJson(reply, { kind: kind.name, fields: target.fields, chosen, ...count });
  const list = withQuery(kind.name === "property" ? path`/property` : path`/category`, filters);
  const state = { typed, faults };
  return sendPage(reply, bulkPage({ kind, fields: target.fields, chosen, filters, count, state, token: await formToken(reply), list }));
}

function readListFilters({ filters }: BulkTarget, typed: TypedValues): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(filters.map((name) => [name, typed[name]]));
}

/** Stores the edit as an import, so that it can be previewed and undone like a file. */
async function applyBulkEdit(services: ImportRouteDeps, bulkSelection: BulkSelection, reply: FastifyReply): Promise<FastifyReply> {
  const { target, kind, chosen, source } = bulkSelection;
  const { request } = reply;
  const typed = readTyped(source);
  const changes = readChanges(target.fields, typed);
  const editsAll = typed.rows === "all";
  const faults = changeFaults(kind, changes);
  if (Object.keys(faults).length > 0) return showForm(bulkSelection, faults, reply);
  if (!editsAll && chosen.length === 0) throw new HttpException(422, "Select rows, or choose all that match the filter");
  const records = editsAll ? [] : await target.find(chosen);
  const fault = editsAll
    ? undefined
    : selectionFault(
        chosen,
        records.map((record) => kind.keys.map((name) => record[name]).join("/")),
      );
  if (fault !== undefined) throw new HttpException(422, fault);
  const by = { ...request.by, at: services.clock.now() };
  const name = editsAll ? `Bulk edit of ${kind.many}` : `Bulk edit of ${formatCount(chosen.length, kind.one, kind.many)}`;
  const header = [...kind.keys, ...Object.keys(changes)];
  const chunks = csvChunks(editsAll ? target.all(source) : [records], header, changes);
  const id = await storeBulkEdit(services.database, { kind: kind.name, name, header, chunks }, by);
  await startReading(services, id, by);
  return wantsJson(request) ? sendJson(reply, { id }) : seeOther(reply, path`/tools/import/${id}`);
}

async function* csvChunks(
  records: Iterable<readonly ImportedRecord[]> | AsyncIterable<readonly ImportedRecord[]>,
  header: readonly string[],
  changes: TypedValues,
): AsyncGenerator<string> {
  yield csvText([header]);
  for await (const batch of records) yield csvText(batch.map((record) => header.map((name) => changes[name] ?? record[name])));
}
