import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { findKind } from "../../records/import/kinds.ts";
import { findImport, listImports } from "../../records/import/store.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import { acceptFormsOnly, type Faults, readRaw, readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { HttpException, NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { acceptFiles } from "../../web/multipart.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { addBulkRoute } from "./bulk-route.ts";
import { sendCurrent, sendTemplate } from "./downloads.ts";
import { FileFault } from "./file.ts";
import { importJson } from "./import-json.ts";
import { addImportRoute, startReading } from "./import-route.ts";
import { ImportRunner } from "./runner.ts";
import { startPage } from "./start-page.ts";
import { DISCARDED_TEXT, uploadFile, uploadText } from "./upload.ts";

const MAX_FILE_BYTES = 200 * 1024 * 1024;
const MAX_SHOWN_IMPORTS = 20;

export type ImportDeps = { database: Database; clock: Clock; errors: ErrorRecorder };
export type ImportRunnerDeps = ImportDeps & { runner: ImportRunner };

export const importModule: Module<ImportDeps> = {
  name: "import",
  about: "Imports properties, categories and rate plans from files, and edits many records at once.",
  tables: ["import", "import_part", "import_row"],
  uses: ["category", "property"],
  register(app, needs) {
    acceptFormsOnly(app);
    const runner = new ImportRunner(needs);
    const services = { ...needs, runner };
    app.addHook("onClose", () => runner.close());
    addImportRoute(app, services);
    addBulkRoute(app, services);
    app.register(async (scope) => addStart(scope, services));
  },
};

function addStart(app: FastifyInstance, services: ImportRunnerDeps): void {
  acceptFiles(app);
  const description = "imports of properties, categories and rate plans";
  addAnyRoute(app, { url: "/tools/import", about: description, access: "editor", bodyLimit: MAX_FILE_BYTES }, (request, reply) => {
    const { template, current } = readTyped(request.query);
    const kind = findKind(template ?? current ?? "");
    if (actionOf(request) === "upload") return handleUpload(services, request, reply);
    if (template === undefined && current === undefined) return showStart(services, reply, { faults: {}, text: "" });
    if (!kind) throw new NotFoundException("Unknown record type. Choose property, category or plan");
    return template === undefined ? sendCurrent(services.database, kind, reply) : sendTemplate(kind, reply);
  });
}

async function showStart({ database }: ImportRunnerDeps, reply: FastifyReply, { faults, text }: { faults: Faults; text: string }) {
  const imports = await listImports(database, MAX_SHOWN_IMPORTS);
  if (wantsJson(reply.request)) return sendJson(reply, { imports: imports.map(importJson) });
  return sendPage(reply, startPage({ imports, faults, text, token: await formToken(reply) }));
}

async function handleUpload(services: ImportRunnerDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { database, clock } = services;
  const { file } = request.body as { file?: unknown };
  const text = readRaw(request.body, "text");
  const by = { ...request.by, at: clock.now() };
  const refuse = (fault: string) =>
    wantsJson(request) ? sendFaults(reply, { file: fault }) : showStart(services, reply, { faults: { file: fault }, text });
  const [bytes, ...others] = [file].flat().filter((part) => Buffer.isBuffer(part) && part.length > 0) as Buffer[];
  if (others.length > 0) return refuse("Choose only one file");
  if (!bytes && text.trim() === "") return refuse("Choose a file, or paste rows");
  try {
    const uploadResult = bytes ? await uploadFile(database, bytes, by) : await uploadText(database, text, by);
    if (uploadResult.isMatched) await startReading(services, uploadResult.id, by);
    return await sendUploaded(services, uploadResult.id, reply);
  } catch (error) {
    if (error instanceof FileFault) return refuse(error.message);
    throw error;
  }
}

async function sendUploaded({ database }: ImportRunnerDeps, id: number, reply: FastifyReply): Promise<FastifyReply> {
  if (!wantsJson(reply.request)) return seeOther(reply, path`/tools/import/${id}`);
  const file = await findImport(database, id);
  if (!file) throw new HttpException(409, DISCARDED_TEXT);
  return sendJson(reply, importJson(file));
}
