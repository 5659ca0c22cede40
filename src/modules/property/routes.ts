import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { readNextNights } from "../../grid/next-nights.ts";
import { readPropertyPage } from "../../grid/property-page.ts";
import { listMessages } from "../../journal/messages.ts";
import { findAudit, listAudit } from "../../records/audit.ts";
import { streamProperties, listProperties, readProperties } from "../../records/property/list-store.ts";
import {
  isPropertyCode,
  newPropertyForm,
  type Property,
  PROPERTY_FIELDS,
  PROPERTY_WORDS,
  propertyForm,
} from "../../records/property/property.ts";
import {
  createProperty,
  type ExportedProperty,
  findActivity,
  findProperty,
  listPropertyCategories,
  propertySubject,
  toExported,
  updateProperty,
} from "../../records/property/store.ts";
import { acceptFormsOnly, type Faults, readForm, readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import type { TokenAccess } from "../../web/guard/user.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../web/page.ts";
import { historyJson, readHistory } from "../../web/parts/history.ts";
import { orderByKey } from "../../web/parts/list.ts";
import { keptNights, type PropertyTab } from "../../web/parts/property-header.ts";
import { path } from "../../web/path.ts";
import { openEdit, type RecordEdit, sendEdit } from "../../web/record-edit.ts";
import { toCsvColumns, sendList, toData, toTimes } from "../../web/record-list.ts";
import { type Module } from "../module.ts";
import { editPropertyPage, newPropertyPage, PROPERTY_DEFAULTS } from "./form.ts";
import { addLifecyclePage } from "./lifecycle.ts";
import { propertyListPage } from "./pages.ts";
import { readPropertyQuery } from "./property-query.ts";
import { historyPage, propertyPage } from "./record-page.ts";

const MAX_SHOWN_MESSAGES = 5;
const NEW_PROPERTY_WORDS = { ...PROPERTY_WORDS, labels: { code: "Code", ...PROPERTY_WORDS.labels } };
const CSV_COLUMNS = toCsvColumns(["code", ...PROPERTY_FIELDS]);

const READ_ACCESS: TokenAccess = { read: "read", property: "code" };
const WRITE_ACCESS: TokenAccess = { ...READ_ACCESS, act: "records:write" };

type PropertyRequest = FastifyRequest<{ Params: { code: string } }>;

type PropertyDeps = { database: Database; clock: Clock };

export const propertyModule: Module<PropertyDeps> = {
  name: "property",
  about: "Properties: address, currency, time zone and sales settings.",
  tables: ["property", "property_activity"],
  uses: ["channel"],
  register(app, services) {
    acceptFormsOnly(app);
    const form = (about: string) => ({ config: { about, words: NEW_PROPERTY_WORDS, access: "editor" as const, tokens: WRITE_ACCESS } });
    app.get(
      "/property",
      { config: { about: "all properties", etag: true, readsReplica: true, tokens: { read: "read" } } },
      (request, reply) => sendPropertyList(services, request, reply),
    );
    app.get("/property/new", form("form for a new property"), (request, reply) => showNew(request, reply));
    app.post("/property/new", form("creates a property"), (request, reply) => createFromForm(services, request, reply));
    app.get("/property/:code", { config: { about: "one property", tokens: READ_ACCESS } }, (request: PropertyRequest, reply) =>
      showProperty(services, request, reply),
    );
    app.get("/property/:code/edit", form("form to edit a property"), (request: PropertyRequest, reply) =>
      showEdit(services, request, reply),
    );
    addLifecyclePage(app, services);
    app.post("/property/:code/edit", form("updates a property"), (request: PropertyRequest, reply) =>
      updateFromForm(services, request, reply),
    );
  },
};

function sendPropertyList({ database, clock }: PropertyDeps, request: FastifyRequest, reply: FastifyReply) {
  const query = readPropertyQuery(request.query, clock.now());
  return sendList<ExportedProperty>(reply, query, {
    name: "properties",
    columns: CSV_COLUMNS,
    page: async (selected) => propertyListPage(await listProperties(database, query), { ...query, selected }),
    async part(after) {
      const { lines, count } = await listProperties(database, orderByKey(query, "code", after));
      return { lines: await readProperties(database, lines.map(propertyKey)), count };
    },
    all: () => streamProperties(database, query),
    keyOf: propertyKey,
    isKey: isPropertyCode,
    find: (codes) => readProperties(database, codes.filter(isPropertyCode)),
  });
}

function propertyKey({ code }: { code: string }): string {
  return code;
}

async function showProperty({ database, clock }: PropertyDeps, request: PropertyRequest, reply: FastifyReply) {
  const property = await findOrThrow({ database }, request);
  if (wantsJson(request)) return showData(database, property, reply);
  if (readTyped(request.query).view === "history") return showHistory(database, property, reply);
  const categories = await listPropertyCategories(database, property.code);
  const [activity, { messages }, nights, changes] = await Promise.all([
    findActivity(database, property.code),
    listMessages(database, { property: property.code, limit: MAX_SHOWN_MESSAGES }),
    readNextNights(database, { property, categories, now: clock.now() }),
    readChanges(database, property, request.query),
  ]);
  const page = propertyPage({ property, categories, activity, messages, nights, changes });
  return sendOnProperty(database, reply, { page, code: property.code, tab: "overview" });
}

async function showHistory(database: Database, property: Property, reply: FastifyReply) {
  const changes = await readChanges(database, property, { history: "all" });
  return sendOnProperty(database, reply, { page: historyPage(property, changes), code: property.code, tab: "history" });
}

type TabPage = { page: Page; code: string; tab: PropertyTab };

async function sendOnProperty(database: Database, reply: FastifyReply, { page, code, tab }: TabPage) {
  return sendPage(reply, { ...page, property: await readHeader(database, reply, { code, tab }) });
}

function readHeader(database: Database, { request }: FastifyReply, { code, tab }: Omit<TabPage, "page">) {
  return readPropertyPage(database, code, { tab, nights: keptNights(readTyped(request.query)) });
}

async function showData(database: Database, property: Property, reply: FastifyReply) {
  const [categories, activity, changes] = await Promise.all([
    listPropertyCategories(database, property.code),
    findActivity(database, property.code),
    readChanges(database, property, reply.request.query),
  ]);
  const record = { ...toData(toExported(property)), categories: categories.length, ...toTimes(activity ?? {}) };
  return sendJson(reply, { ...record, ...historyJson(changes) });
}

function readChanges(database: Database, { code }: Property, query: unknown) {
  return readHistory(query, (limit) => listAudit(database, propertySubject(code), limit));
}

async function showNew(request: FastifyRequest, reply: FastifyReply) {
  const { code } = readTyped(request.query);
  const typed = code === undefined ? PROPERTY_DEFAULTS : { ...PROPERTY_DEFAULTS, code };
  return sendPage(reply, newPropertyPage({ typed, faults: {} }, await formToken(reply)));
}

async function createFromForm({ database, clock }: PropertyDeps, request: FastifyRequest, reply: FastifyReply) {
  const form = readForm(newPropertyForm, request.body);
  const refuse = async (faults: Faults) => {
    if (wantsJson(request)) return sendFaults(reply, faults);
    return sendPage(reply, newPropertyPage({ typed: { ...PROPERTY_DEFAULTS, ...form.typed }, faults }, await formToken(reply)));
  };
  if (!form.ok) return refuse(form.faults);
  const property = await createProperty(database, form.value, { ...request.by, at: clock.now() });
  if (!property) return refuse({ code: `Choose another code; property ${form.value.code} already exists` });
  return seeOther(reply, path`/property/${property.code}`, `Property ${property.code} was created.`);
}

async function showEdit({ database }: PropertyDeps, request: PropertyRequest, reply: FastifyReply) {
  const property = await findOrThrow({ database }, request);
  if (wantsJson(request)) return showData(database, property, reply);
  const edit = await openEdit(property, request.query, (id) => findAudit(database, propertySubject(property.code), id));
  return sendPage(reply, await editPage(database, edit, reply));
}

async function editPage(database: Database, edit: RecordEdit<Property>, reply: FastifyReply): Promise<Page> {
  const property = await readHeader(database, reply, { code: edit.record.code, tab: "overview" });
  return { ...editPropertyPage(edit, await formToken(reply)), property };
}

async function updateFromForm({ database, clock }: PropertyDeps, request: PropertyRequest, reply: FastifyReply) {
  const property = await findOrThrow({ database }, request);
  return sendEdit(reply, {
    record: property,
    rules: propertyForm,
    async save(edit) {
      const updateResult = await updateProperty(database, edit, { ...request.by, at: clock.now() });
      if (!updateResult) throw notFound(property.code);
      return updateResult;
    },
    lastChange: async () => (await listAudit(database, propertySubject(property.code), 1))[0],
    page: (edit) => editPage(database, edit, reply),
    to: path`/property/${property.code}`,
    label: `Property ${property.code}`,
  });
}

async function findOrThrow({ database }: Pick<PropertyDeps, "database">, request: PropertyRequest): Promise<Property> {
  const property = await findProperty(database, request.params.code);
  if (!property) throw notFound(request.params.code);
  return property;
}

function notFound(code: string): NotFoundException {
  return new NotFoundException(`Property '${code}' not found`);
}
