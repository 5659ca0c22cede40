import type { FastifyInstance, FastifyReply } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { readPropertyPage } from "../../grid/property-page.ts";
import { deleteProperty } from "../../journal/delete-property.ts";
import { archiveProperty, restoreProperty, type StatusChange } from "../../records/property/archive.ts";
import { duplicateProperty } from "../../records/property/duplicate-store.ts";
import { duplicateForm, type Property } from "../../records/property/property.ts";
import { findProperty } from "../../records/property/store.ts";
import { actionOf, anyRoute } from "../../web/any-route.ts";
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

type LifecycleServices = { database: Database; clock: Clock };
type RequestContext = { services: LifecycleServices; reply: FastifyReply };

const ACTIONS: Readonly<Record<string, (visit: RequestContext, property: Property) => Promise<FastifyReply>>> = {
  duplicate,
  archive,
  restore,
  delete: remove,
};

/** Registers the page to duplicate, archive and delete a property. */
export function addLifecyclePage(app: FastifyInstance, services: LifecycleServices): void {
  const route = { url: "/tools/property", about: "duplicate, archive or delete a property", words: LIFECYCLE_WORDS } as const;
  anyRoute(app, { ...route, access: "editor" }, async (request, reply) => {
    const { property: code = "" } = readTyped(request.query);
    if (code === "")
      return wantsJson(request) ? sendFaults(reply, { property: "Enter the code of a property" }) : sendPage(reply, withoutPropertyPage);
    const property = await findProperty(services.database, code);
    if (!property) throw new NotFoundException(`Property '${code}' not found`);
    const action = actionOf(request) ?? "";
    const visit = { services, reply };
    return Object.hasOwn(ACTIONS, action) ? ACTIONS[action]!(visit, property) : show(visit, property, { typed: {}, faults: {} });
  });
}

async function show({ services, reply }: RequestContext, property: Property, state: FormState): Promise<FastifyReply> {
  if (wantsJson(reply.request)) return sendJson(reply, { code: property.code, status: property.status });
  const view = { property, state, token: await formToken(reply), mayDelete: hasRole(reply.request.role, "admin") };
  const header = await readPropertyPage(services.database, property.code, { tab: "overview", nights: {} });
  return sendPage(reply, { ...lifecyclePage(view), property: header });
}

function visitBy({ services: { clock }, reply }: RequestContext) {
  return { ...reply.request.by, at: clock.now() };
}

function refuse(visit: RequestContext, property: Property, faults: Faults): Promise<FastifyReply> | FastifyReply {
  const { request } = visit.reply;
  return wantsJson(request) ? sendFaults(visit.reply, faults) : show(visit, property, { typed: readTyped(request.body), faults });
}

async function duplicate(visit: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = visit;
  const form = readForm(duplicateForm, reply.request.body);
  if (!form.ok) return refuse(visit, property, form.faults);
  const { code } = form.value;
  const done = await duplicateProperty(services.database, { ...form.value, from: property.code }, visitBy(visit));
  if (done === undefined) throw new NotFoundException(`Property '${property.code}' not found`);
  if (done === "duplicate") return refuse(visit, property, { code: `Choose another code; property ${code} already exists` });
  const copiedText = `${formatCount(done.categories, "category", "categories")} and ${formatCount(done.plans, "rate plan")}`;
  return seeOther(reply, path`/property/${code}`, `Property ${code} was created with ${copiedText}.`);
}

async function archive(visit: RequestContext, { code }: Property): Promise<FastifyReply> {
  newStatus(await archiveProperty(visit.services.database, code, visitBy(visit)), code);
  return seeOther(visit.reply, path`/property/${code}`, `Property ${code} was archived. It is hidden and refuses messages.`);
}

async function restore(visit: RequestContext, { code }: Property): Promise<FastifyReply> {
  const status = newStatus(await restoreProperty(visit.services.database, code, visitBy(visit)), code);
  return seeOther(visit.reply, path`/property/${code}`, `Property ${code} was restored. Its status is now ${status}.`);
}

function newStatus(change: StatusChange, code: string): string {
  if (change.outcome === "done") return change.status;
  if (change.outcome === "not found") throw new NotFoundException(`Property '${code}' not found`);
  if (change.outcome === "not archived") throw new HttpException(409, `Property ${code} is not archived. Nothing was changed.`);
  throw new HttpException(409, `Property ${code} was edited at the same time. Nothing was changed. Try again.`);
}

async function remove(visit: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { code } = property;
  if (!hasRole(reply.request.role, "admin")) throw new AccessException(403, "Only an administrator can delete a property.");
  if (property.status !== "archived") throw new HttpException(409, `Archive property ${code} before you delete it.`);
  if (readTyped(reply.request.body)["confirm"] !== code) return refuse(visit, property, { confirm: `Enter ${code} to confirm` });
  const isDeleted = await deleteProperty(services.database, code, visitBy(visit)).finally(noteSenderChange);
  if (!isDeleted) throw new HttpException(409, `Property ${code} is no longer archived. Nothing was deleted.`);
  return seeOther(reply, path`/property`, `Property ${code} was deleted.`);
}
