import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { deleteView, listViews, renameView, saveView, type ViewChange } from "../../records/saved-views.ts";
import { isVisible } from "../../text.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { type Faults, readForm, readId, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { findOwner, requireOwner } from "../../web/guard/owner.ts";
import { HttpException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import type { Module } from "../module.ts";
import { VIEW_WORDS, viewPath, viewsPage, VIEWS_PATH } from "./page.ts";

type ViewDeps = { database: Database; clock: Clock };

const MAX_NAME_LENGTH = 60;
const MAX_QUERY_LENGTH = 1_000;

const nameSchema = z
  .string({ error: "Enter a name" })
  .refine((text) => text.length > 0, "Enter a name")
  .refine((text) => text.length <= MAX_NAME_LENGTH && isVisible(text), `Enter a name of at most ${MAX_NAME_LENGTH} visible characters`);

const newViewSchema = z.object({
  name: nameSchema,
  grid: z.enum(["inventories", "rates"], { error: "Choose inventories or rates" }),
  query: z.string().max(MAX_QUERY_LENGTH, "These filters are too long to save").default(""),
});

export const viewsModule: Module<ViewDeps> = {
  name: "views",
  about: "Saved views of the portfolio: named sets of filters, dates and measure.",
  tables: ["saved_view"],
  uses: [],
  register(app, services) {
    const route = { url: "/tools/views", about: "saved views", words: VIEW_WORDS, acts: "viewer" } as const;
    addAnyRoute(app, route, (request, reply) => {
      const action = actionOf(request);
      if (action === "save") return saveFromForm(services, request, reply);
      if (action === "rename" || action === "delete") return changeFromForm(services, reply, action);
      return showViews(services, reply, { typed: readTyped(request.query), faults: {} });
    });
  },
};

async function showViews(
  { database }: ViewDeps,
  reply: FastifyReply,
  state: { typed: TypedValues; faults: Faults },
): Promise<FastifyReply> {
  const owner = findOwner(reply.request);
  const views = owner === undefined ? [] : await listViews(database, owner);
  if (wantsJson(reply.request)) return sendJson(reply, { views });
  return sendPage(reply, viewsPage({ views, state, token: await formToken(reply) }));
}

async function saveFromForm(services: ViewDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(newViewSchema, request.body);
  const refuse = (faults: Faults) =>
    wantsJson(request) ? sendFaults(reply, faults) : showViews(services, reply, { typed: form.typed, faults });
  if (!form.ok) return refuse(form.faults);
  const view = { ...form.value, query: new URLSearchParams(form.value.query).toString() };
  const isSaved = await saveView({ database: services.database, owner: requireOwner(reply) }, view, {
    ...request.by,
    at: services.clock.now(),
  });
  if (!isSaved) return refuse({ name: "Delete a view first; you can save up to 50" });
  return wantsJson(request) ? sendJson(reply.code(201), view) : seeOther(reply, viewPath(view), `View ${view.name} was saved.`);
}

async function changeFromForm(services: ViewDeps, reply: FastifyReply, action: "rename" | "delete"): Promise<FastifyReply> {
  const { request } = reply;
  const form = readForm(
    z.object({ id: z.string().default(""), name: action === "rename" ? nameSchema : z.string().default("") }),
    request.body,
  );
  if (!form.ok) return wantsJson(request) ? sendFaults(reply, form.faults) : showViews(services, reply, form);
  const by = { ...request.by, at: services.clock.now() };
  const views = { database: services.database, owner: findOwner(request) ?? "" };
  const id = readId(form.value.id) ?? 0;
  const viewChange = action === "rename" ? await renameView(views, { id, name: form.value.name }, by) : await deleteView(views, id, by);
  return finishChange(reply, viewChange, action);
}

function finishChange(reply: FastifyReply, viewChange: ViewChange, action: "rename" | "delete"): Promise<FastifyReply> | FastifyReply {
  if (viewChange === "unknown") throw new HttpException(409, "This view does not exist or is not yours");
  if (viewChange === "taken") throw new HttpException(409, "You already have a view with this name");
  if (wantsJson(reply.request)) return sendJson(reply, viewChange);
  return seeOther(reply, VIEWS_PATH, action === "rename" ? `View renamed to ${viewChange.name}.` : `View ${viewChange.name} was deleted.`);
}
