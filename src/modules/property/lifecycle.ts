import type { FastifyInstance, FastifyReply } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { readPropertyPage } from "../../grid/property-page.ts";
import { deleteProperty } from "../../journal/delete-property.ts";
import { archiveProperty, restoreProperty, type StatusChange } from "../../records/property/archive.ts";
import { duplicateProperty } from "../../records/property/duplicate-store.ts";
import { duplicateForm, type Property } from "../../records/property/property.ts";
import { findProperty } from "../../records/property/store.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { type Faults, readForm, readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { hasRole } from "../../web/guard/user.ts";
import { AccessException, HttpException, NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import type { FormState } from "../../web/parts/fields.ts";
import { path } from "../../web/path.ts";
import { noteSenderChange } from "../channel/senders/revision.ts";
import { lifecyclePage, LIFECYCLE_WORDS, withoutPropertyPage } from "./lifecycle-page.ts";

type LifecycleDeps = { database: Database; clock: Clock };
type RequestContext = { services: LifecycleDeps; reply: FastifyReply };

const LIFECYCLE_ACTIONS: Readonly<Record<string, (requestContext: RequestContext, property: Property) => Promise<FastifyReply>>> = {
  duplicate: submitDuplicate,
  archive: submitArchive,
  restore: submitRestore,
  delete: submitRemoval,
};

/** Registers the page to duplicate, archive and delete a property. */
export function addLifecyclePage(app: FastifyInstance, services: LifecycleDeps): void {
  const route = { url: "/tools/property", about: "duplicate, archive or delete a property", words: LIFECYCLE_WORDS } as const;
  addAnyRoute(app, { ...route, access: "editor" }, async (request, reply) => {
    const { property: code = "" } = readTyped(request.query);
    if (code === "")
      return wantsJson(request) ? sendFaults(reply, { property: "Enter the code of a property" }) : sendPage(reply, withoutPropertyPage);
    const property = await findProperty(services.database, code);
    if (!property) throw new NotFoundException(`Property '${code}' not found`);
    const action = actionOf(request) ?? "";
    const requestContext = { services, reply };
    return Object.hasOwn(LIFECYCLE_ACTIONS, action)
      ? LIFECYCLE_ACTIONS[action]!(requestContext, property)
      : showLifecycle(requestContext, property, { typed: {}, faults: {} });
  });
}

async function showLifecycle({ services, reply }: RequestContext, property: Property, state: FormState): Promise<FastifyReply> {
  if (wantsJson(reply.request)) return sendJson(reply, { code: property.code, status: property.status });
  const view = { property, state, token: await formToken(reply), mayDelete: hasRole(reply.request.role, "admin") };
  const header = await readPropertyPage(services.database, property.code, { tab: "overview", nights: {} });
  return sendPage(reply, { ...lifecyclePage(view), property: header });
}

function authorOf({ services: { clock }, reply }: RequestContext) {
  return { ...reply.request.by, at: clock.now() };
}

function sendFaultyForm(requestContext: RequestContext, property: Property, faults: Faults): Promise<FastifyReply> | FastifyReply {
  const { request } = requestContext.reply;
  return wantsJson(request)
    ? sendFaults(requestContext.reply, faults)
    : showLifecycle(requestContext, property, { typed: readTyped(request.body), faults });
}

async function submitDuplicate(requestContext: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = requestContext;
  const form = readForm(duplicateForm, reply.request.body);
  if (!form.ok) return sendFaultyForm(requestContext, property, form.faults);
  const { code } = form.value;
  const duplicateResult = await duplicateProperty(services.database, { ...form.value, from: property.code }, authorOf(requestContext));
  if (duplicateResult === undefined) throw new NotFoundException(`Property '${property.code}' not found`);
  if (duplicateResult === "duplicate")
    return sendFaultyForm(requestContext, property, { code: `Choose another code; property ${code} already exists` });
  const copiedText = `${formatCount(duplicateResult.categories, "category", "categories")} and ${formatCount(duplicateResult.plans, "rate plan")}`;
  return seeOther(reply, path`/property/${code}`, `Property ${code} was created with ${copiedText}.`);
}

async function submitArchive(requestContext: RequestContext, { code }: Property): Promise<FastifyReply> {
  newStatus(await archiveProperty(requestContext.services.database, code, authorOf(requestContext)), code);
  return seeOther(requestContext.reply, path`/property/${code}`, `Property ${code} was archived. It is hidden and refuses messages.`);
}

async function submitRestore(requestContext: RequestContext, { code }: Property): Promise<FastifyReply> {
  const status = newStatus(await restoreProperty(requestContext.services.database, code, authorOf(requestContext)), code);
  return seeOther(requestContext.reply, path`/property/${code}`, `Property ${code} was restored. Its status is now ${status}.`);
}

function newStatus(change: StatusChange, code: string): string {
  if (change.outcome === "done") return change.status;
  if (change.outcome === "not found") throw new NotFoundException(`Property '${code}' not found`);
  if (change.outcome === "not archived") throw new HttpException(409, `Property ${code} is not archived. Nothing was changed.`);
  throw new HttpException(409, `Property ${code} was edited at the same time. Nothing was changed. Try again.`);
}

async function submitRemoval(visit: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { code } = property;
  if (!hasRole(reply.request.role, "admin")) throw new AccessException(403, "Only an administrator can delete a property.");
  if (property.status !== "archived") throw new HttpException(409, `Archive property ${code} before you delete it.`);
  if (readTyped(reply.request.body)["confirm"] !== code) return sendFaultyForm(visit, property, { confirm: `Enter ${code} to confirm` });
  const isDeleted = await deleteProperty(services.database, code, authorOf(visit)).finally(noteSenderChange);
  if (!isDeleted) throw new HttpException(409, `Property ${code} is no longer archived. Nothing was deleted.`);
  return seeOther(reply, path`/property`, `Property ${code} was deleted.`);
}
