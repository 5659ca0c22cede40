import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { By } from "../../records/audit.ts";
import { findKind, type ImportKind } from "../../records/import/kinds.ts";
import { countRows, discardImport, findImport, type Import, listLines, OUTCOMES, setColumns } from "../../records/import/store.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { HttpException, NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { readPageSize } from "../../web/parts/list.ts";
import { path } from "../../web/path.ts";
import { columnsPage } from "./columns-page.ts";
import { type ColumnMapping, fieldChoices, matchColumns } from "./columns.ts";
import { readExample } from "./file.ts";
import { columnsJson, importViewJson } from "./import-json.ts";
import { importPage } from "./import-page.ts";
import { type ImportView, selectedOutcomes, type OutcomeFilter } from "./import-view.ts";
import type { ImportRunner } from "./runner.ts";

export type ImportRouteDeps = { database: Database; clock: Clock; runner: ImportRunner };

type ImportRequest = FastifyRequest<{ Params: { id: string } }>;

export function addImportRoute(app: FastifyInstance, services: ImportRouteDeps): void {
  addAnyRoute(app, { url: "/tools/import/:id", about: "one import, with its preview", access: "editor" }, async (request, reply) => {
    const file = await findOrThrow(services, request as ImportRequest);
    const action = actionOf(request);
    return action === undefined ? showImport(services, file, reply) : act(services, { file, action }, reply);
  });
}

async function findOrThrow({ database, runner }: ImportRouteDeps, { params }: ImportRequest): Promise<Import> {
  const importFound = await findImport(database, readId(params.id) ?? 0);
  if (!importFound) throw new NotFoundException(`Import '${params.id}' not found`);
  return runner.recover(importFound);
}

async function showImport(services: ImportRouteDeps, file: Import, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const query = readTyped(request.query);
  const kind = findKind(file.kind)!;
  const wantsColumns = file.state === "columns" || (file.state === "ready" && query.view === "columns");
  if (wantsColumns && !wantsJson(request)) return showColumns(services, { file, kind, columns: file.columns, faults: {} }, reply);
  const view = await readView(services, file, query);
  if (wantsJson(request)) return sendJson(reply, importViewJson({ ...view, token: "" }));
  if (["reading", "importing", "undoing"].includes(file.state)) reply.header("refresh", "1");
  return sendPage(reply, importPage({ ...view, token: await formToken(reply) }));
}

async function readView({ database, runner }: ImportRouteDeps, file: Import, query: TypedValues): Promise<Omit<ImportView, "token">> {
  const counts = await countRows(database, file.id);
  const show = readShow(query.show) ?? (file.state === "ready" && counts.fault > 0 ? "fault" : "all");
  const page = Math.min(readId(query.page ?? "") ?? 1, 1_000_000);
  const size = readPageSize(query.size);
  const lines = file.state === "reading" ? [] : await listLines(database, file.id, { outcomes: selectedOutcomes(show), page, size });
  return { file, kind: findKind(file.kind)!, counts, lines, show, page, size, progress: runner.progressOf(file.id) };
}

function readShow(text: string | undefined): OutcomeFilter | undefined {
  return text === "all" ? text : OUTCOMES.find((outcome) => outcome === text);
}

type ColumnChoice = { file: Import; kind: ImportKind; columns: ColumnMapping; faults: Faults };

async function showColumns({ database }: ImportRouteDeps, choice: ColumnChoice, reply: FastifyReply): Promise<FastifyReply> {
  if (wantsJson(reply.request)) return sendFaults(reply, choice.faults);
  const example = await readExample(database, choice.file).catch(() => []);
  return sendPage(reply, columnsPage({ ...choice, example, token: await formToken(reply) }));
}

type ImportAction = { file: Import; action: string };

async function act(services: ImportRouteDeps, { file, action }: ImportAction, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const by = { ...request.by, at: services.clock.now() };
  if (action === "match") return rematchColumns(services, file, reply);
  if (action === "read") return chooseColumns(services, file, reply);
  if (action === "discard") return discardFile(services, file, reply);
  if (action === "reread") await rereadFile(services, file, by);
  else if (action === "import") await startImport(services, file, by);
  else if (action === "undo") await startStep(services, file, { step: "undoing", by });
  else throw new HttpException(422, "Choose an action: read, match, reread, import, undo or discard");
  return sendResult(services, file, reply);
}

async function sendResult(services: ImportRouteDeps, { id }: Import, reply: FastifyReply): Promise<FastifyReply> {
  const file = await findOrThrow(services, reply.request as ImportRequest);
  if (wantsJson(reply.request)) {
    const view = { ...(await readView(services, file, {})), token: "" };
    return sendJson(file.fault === null ? reply : reply.code(409), importViewJson(view));
  }
  return seeOther(reply, path`/tools/import/${id}`);
}

type StartOptions = { step: "reading" | "importing" | "undoing"; by: By };

const REFUSAL_TEXTS: Record<StartOptions["step"], string> = {
  reading: "This file is being read or has already been imported. Reload the page.",
  importing: "This import has already started or has no preview. Reload the page.",
  undoing: "An import can be undone only once, after it has finished. Reload the page.",
};

async function startStep({ runner }: ImportRouteDeps, file: Import, { step, by }: StartOptions): Promise<void> {
  if (!(await runner.start(file, step, by))) throw new HttpException(409, REFUSAL_TEXTS[step]);
}

async function startImport(services: ImportRouteDeps, file: Import, by: By): Promise<void> {
  const counts = await countRows(services.database, file.id);
  if (file.state === "ready" && counts.fault > 0)
    throw new HttpException(409, `${formatCount(counts.fault, "row")} can't be imported. Correct the file and upload it again.`);
  if (file.state === "ready" && counts.new + counts.changed === 0) throw new HttpException(409, "There is nothing to import.");
  await startStep(services, file, { step: "importing", by });
}

/** Starts reading a file whose columns are known. */
export async function startReading(services: ImportRouteDeps, id: number, by: By): Promise<void> {
  const file = await findImport(services.database, id);
  if (file) await startStep(services, file, { step: "reading", by });
}

async function rereadFile(services: ImportRouteDeps, file: Import, by: By): Promise<void> {
  if (!(await setColumns(services.database, file.id, file))) throw new HttpException(409, REFUSAL_TEXTS.reading);
  await startReading(services, file.id, by);
}

async function rematchColumns(services: ImportRouteDeps, file: Import, reply: FastifyReply): Promise<FastifyReply> {
  const kind = findKind(readTyped(reply.request.body).kind ?? "") ?? findKind(file.kind)!;
  const columns = matchColumns(kind, file.header);
  if (wantsJson(reply.request)) return sendJson(reply, { id: file.id, kind: kind.name, columns: columnsJson(file.header, columns) });
  return showColumns(services, { file, kind, columns, faults: {} }, reply);
}

async function chooseColumns(services: ImportRouteDeps, file: Import, reply: FastifyReply): Promise<FastifyReply> {
  const { database, clock } = services;
  const typed = readTyped(reply.request.body);
  const kind = findKind(typed.kind ?? file.kind);
  if (!kind) throw new HttpException(422, "Choose what the rows contain: property, category or plan");
  const columns = file.header.map((_, index) => typed[`c${index}`] || null);
  const faults = columnFaults(kind, columns);
  if (Object.keys(faults).length > 0) return showColumns(services, { file, kind, columns, faults }, reply);
  if (!(await setColumns(database, file.id, { kind: kind.name, columns }))) throw new HttpException(409, REFUSAL_TEXTS.reading);
  await startReading(services, file.id, { ...reply.request.by, at: clock.now() });
  return sendResult(services, file, reply);
}

function columnFaults(kind: ImportKind, columns: ColumnMapping): Faults {
  const labels = new Map(fieldChoices(kind));
  const faults: Record<string, string> = {};
  for (const [index, field] of columns.entries()) {
    if (field === null) continue;
    if (!labels.has(field)) faults[`c${index}`] = `Choose a ${kind.one} field, or ignore the column`;
    else if (columns.indexOf(field) < index) faults[`c${index}`] = `Choose ${labels.get(field)} for one column only`;
  }
  for (const key of kind.keys)
    if (!columns.includes(key)) faults.kind ??= `Choose the column with the ${kind.labels[key]!.toLowerCase()} of each ${kind.one}`;
  return faults;
}

async function discardFile({ database }: ImportRouteDeps, { id }: Import, reply: FastifyReply): Promise<FastifyReply> {
  if (!(await discardImport(database, id)))
    throw new HttpException(409, "This file is being read or has already been imported, so it can't be discarded.");
  if (wantsJson(reply.request)) return sendJson(reply, { id, discarded: true });
  return seeOther(reply, path`/tools/import`, `Import #${id} was discarded.`);
}
