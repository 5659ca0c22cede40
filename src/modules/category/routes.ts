import type { FastifyReply, FastifyRequest } from "fastify";
import { type Clock } from "../../clock.ts";
import { type Database } from "../../db/database.ts";
import { readPropertyPage } from "../../grid/property-page.ts";
import { findAudit, listAudit } from "../../records/audit.ts";
import { type Category, CATEGORY_FIELDS, categoryForm, newCategoryForm } from "../../records/category/category.ts";
import { streamCategories, keyText, listCategories, readCategories, readKey } from "../../records/category/list-store.ts";
import { categorySubject, createCategory, findCategory, findLastInventoryUpdate, updateCategory } from "../../records/category/store.ts";
import { findProperty, suggestProperties } from "../../records/property/store.ts";
import { mayAct } from "../../web/any-route.ts";
import { acceptFormsOnly, type Faults, readForm, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { requireProperty } from "../../web/guard/grant.ts";
import type { TokenAccess } from "../../web/guard/user.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../web/page.ts";
import { historyJson, readHistory } from "../../web/parts/history.ts";
import { orderByKey } from "../../web/parts/list.ts";
import { keptNights } from "../../web/parts/property-header.ts";
import { path } from "../../web/path.ts";
import { openEdit, type RecordEdit, sendEdit } from "../../web/record-edit.ts";
import { toCsvColumns, sendList, toData, toTimes } from "../../web/record-list.ts";
import { type Module } from "../module.ts";
import { readCategoryQuery } from "./category-query.ts";
import { categoryPage, type CategoryView, editCategoryPage } from "./edit-page.ts";
import { CATEGORY_DEFAULTS, NEW_CATEGORY_WORDS, newCategoryPage, type PropertySuggestions } from "./form.ts";
import { readCategoryNights } from "./next-nights.ts";
import { categoryListPage } from "./pages.ts";

const CSV_COLUMNS = toCsvColumns(["hotelCode", "code", ...CATEGORY_FIELDS]);

type CategoryRequest = FastifyRequest<{ Params: { hotelCode: string; code: string } }>;

const READ_ACCESS: TokenAccess = { read: "read", property: "hotelCode" };
const WRITE_ACCESS: TokenAccess = { ...READ_ACCESS, act: "records:write" };

type CategoryDeps = { database: Database; clock: Clock };

export const categoryModule: Module<CategoryDeps> = {
  name: "category",
  about: "Categories: the room types of a property, with occupancy, number of rooms and description.",
  tables: ["category"],
  uses: [],
  register(app, services) {
    acceptFormsOnly(app);
    const form = (about: string) => ({ config: { about, words: NEW_CATEGORY_WORDS, access: "editor" as const, tokens: WRITE_ACCESS } });
    const edit = "/category/:hotelCode/:code/edit";
    app.get("/category", { config: { about: "all categories", etag: true, readsReplica: true, tokens: READ_ACCESS } }, (request, reply) =>
      sendCategoryList(services, request, reply),
    );
    app.get("/category/new", form("form for a new category"), (request, reply) => showNew(services, request, reply));
    app.post("/category/new", form("creates a category"), (request, reply) => createFromForm(services, request, reply));
    app.get(edit, { config: { about: "one category, with the form to edit it", tokens: READ_ACCESS } }, (request: CategoryRequest, reply) =>
      showEdit(services, request, reply),
    );
    app.post(edit, form("updates a category"), (request: CategoryRequest, reply) => updateFromForm(services, request, reply));
  },
};

function sendCategoryList({ database }: CategoryDeps, request: FastifyRequest, reply: FastifyReply) {
  const query = readCategoryQuery(request.query);
  return sendList<Category>(reply, query, {
    name: "categories",
    columns: CSV_COLUMNS,
    async page(selected) {
      const listResult = await listCategories(database, query);
      const property = query.hotelCode === "" ? undefined : await readHeader({ database }, reply, query.hotelCode);
      const unknownProperty = query.hotelCode !== "" && property === undefined;
      return { ...categoryListPage({ ...listResult, unknownProperty }, { ...query, selected }), property };
    },
    part: (after) => listCategories(database, orderByKey(query, "hotelCode", after)),
    all: () => streamCategories(database, query),
    keyOf: keyText,
    isKey: (text) => readKey(text).length > 0,
    find(keys) {
      const chosenKeys = keys.flatMap(readKey);
      for (const { hotelCode } of chosenKeys) requireProperty(request, hotelCode);
      return readCategories(database, chosenKeys);
    },
  });
}

async function showNew({ database }: CategoryDeps, request: FastifyRequest, reply: FastifyReply) {
  const properties = await allowedProperties(database, request);
  const onlyProperty = properties.length === 1 ? properties[0]!.code : "";
  const { hotelCode = onlyProperty, code = "" } = readTyped(request.query);
  const typed = { ...CATEGORY_DEFAULTS, hotelCode, code };
  return sendPage(reply, newCategoryPage({ typed, faults: {} }, properties, await formToken(reply)));
}

async function createFromForm({ database, clock }: CategoryDeps, request: FastifyRequest, reply: FastifyReply) {
  const form = readForm(newCategoryForm, request.body);
  if (!form.ok) return refuseNew(database, reply, form);
  const { hotelCode, code } = form.value;
  const outcome = await createCategory(database, form.value, { ...request.by, at: clock.now() });
  if (outcome === "created")
    return seeOther(reply, path`/category/${hotelCode}/${code}/edit`, `Category ${code} of property ${hotelCode} was created.`);
  const faults: Faults =
    outcome === "duplicate"
      ? { code: `Choose another code; property ${hotelCode} already has a category ${code}` }
      : { hotelCode: `Enter the code of an existing property. Property ${hotelCode} does not exist` };
  return refuseNew(database, reply, { typed: form.typed, faults });
}

async function refuseNew(database: Database, reply: FastifyReply, { typed, faults }: { typed: TypedValues; faults: Faults }) {
  if (wantsJson(reply.request)) return sendFaults(reply, faults);
  const state = { typed: { ...CATEGORY_DEFAULTS, ...typed }, faults };
  return sendPage(reply, newCategoryPage(state, await allowedProperties(database, reply.request), await formToken(reply)));
}

/** Returns the properties to suggest. A token may be limited to some of them. */
async function allowedProperties(database: Database, { user }: FastifyRequest): Promise<PropertySuggestions> {
  const allowedCodes = user?.grant?.properties;
  const properties = await suggestProperties(database);
  return allowedCodes === undefined ? properties : properties.filter(({ code }) => allowedCodes.includes(code));
}

async function showEdit(services: CategoryDeps, request: CategoryRequest, reply: FastifyReply) {
  const category = await findOrThrow(services, request);
  if (wantsJson(request)) {
    const [lastInventoryUpdateAt, changes] = await Promise.all([
      findLastInventoryUpdate(services.database, category),
      readChanges(services.database, category, request.query),
    ]);
    return sendJson(reply, { ...toData(category), ...toTimes({ lastInventoryUpdateAt }), ...historyJson(changes) });
  }
  if (!mayAct(request)) {
    const page = categoryPage(await readView(services, category, request.query));
    return sendPage(reply, { ...page, property: await readHeader(services, reply, category.hotelCode) });
  }
  const edit = await openEdit(category, request.query, (id) => findAudit(services.database, categorySubject(category), id));
  return sendPage(reply, await buildEditPage(services, edit, reply));
}

async function updateFromForm(services: CategoryDeps, request: CategoryRequest, reply: FastifyReply) {
  const { database, clock } = services;
  const category = await findOrThrow(services, request);
  const { hotelCode, code } = category;
  return sendEdit(reply, {
    record: category,
    rules: categoryForm,
    async save(edit) {
      const updateResult = await updateCategory(database, edit, { ...request.by, at: clock.now() });
      if (!updateResult) throw notFound(category);
      return updateResult;
    },
    lastChange: async () => (await listAudit(database, categorySubject(category), 1))[0],
    page: (edit) => buildEditPage(services, edit, reply),
    to: path`/category/${hotelCode}/${code}/edit`,
    label: `Category ${code}`,
  });
}

async function buildEditPage(services: CategoryDeps, { record, ...edit }: RecordEdit<Category>, reply: FastifyReply): Promise<Page> {
  const view = await readView(services, record, reply.request.query);
  return {
    ...editCategoryPage({ record: view, ...edit }, await formToken(reply)),
    property: await readHeader(services, reply, record.hotelCode),
  };
}

function readHeader({ database }: Pick<CategoryDeps, "database">, { request }: FastifyReply, hotelCode: string) {
  return readPropertyPage(database, hotelCode, { tab: "categories", nights: keptNights(readTyped(request.query)) });
}

async function readView({ database, clock }: CategoryDeps, category: Category, query: unknown): Promise<CategoryView> {
  const property = await findProperty(database, category.hotelCode);
  if (!property) throw notFound(category);
  const [lastInventoryUpdate, nights, changes] = await Promise.all([
    findLastInventoryUpdate(database, category),
    readCategoryNights(database, { property, category, now: clock.now() }),
    readChanges(database, category, query),
  ]);
  return { property, category, lastInventoryUpdate, nights, changes };
}

function readChanges(database: Database, category: Category, query: unknown) {
  return readHistory(query, (limit) => listAudit(database, categorySubject(category), limit));
}

async function findOrThrow({ database }: CategoryDeps, { params }: CategoryRequest): Promise<Category> {
  const category = await findCategory(database, params.hotelCode, params.code);
  if (!category) throw notFound(params);
  return category;
}

function notFound({ hotelCode, code }: { hotelCode: string; code: string }): NotFoundException {
  return new NotFoundException(`Category '${hotelCode}/${code}' not found`);
}
