import type { FastifyInstance, FastifyReply } from "fastify";
import { HOUR_MS } from "../../../calendar/night.ts";
import type { By } from "../../../records/audit.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { readQuery, wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import type { FormState } from "../../../web/parts/fields.ts";
import { path } from "../../../web/path.ts";
import { addTest, listDeliveries, resendDelivery } from "../../../webhooks/delivery-store.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhook,
  type Webhook,
} from "../../../webhooks/store.ts";
import type { DevDeps } from "../needs.ts";
import { EMPTY_WEBHOOK, readWebhook, typedWebhook } from "./form.ts";
import { deliveryJson, webhookJson } from "./json.ts";
import { webhooksPage } from "./list-page.ts";
import { OVERLAP_CHOICES, webhookPage, webhookSecretPage } from "./page.ts";

const MAX_SHOWN_DELIVERIES = 50;

type RequestContext = { services: DevDeps; reply: FastifyReply };

export function registerWebhooks(app: FastifyInstance, services: DevDeps): void {
  const config = { access: "admin", acts: "admin" } as const;
  addAnyRoute(app, { url: "/dev/webhooks", about: "webhooks: calls to other systems after changes", ...config }, (request, reply) =>
    actionOf(request) === "create" ? createFromForm({ services, reply }) : sendList({ services, reply }),
  );
  addAnyRoute(app, { url: "/dev/webhooks/:id", about: "one webhook and its deliveries", ...config }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const webhook = await findWebhook(services.database, readId(id) ?? 0);
    if (!webhook) throw new NotFoundException(`Webhook '${id}' not found`);
    const name = actionOf(request);
    const action = name !== undefined && Object.hasOwn(WEBHOOK_ACTIONS, name) ? WEBHOOK_ACTIONS[name] : undefined;
    return action ? act({ services, reply }, webhook, action) : sendWebhook({ services, reply }, webhook);
  });
}

async function sendList({ services, reply }: RequestContext, state = EMPTY_WEBHOOK): Promise<FastifyReply> {
  const webhooks = await listWebhooks(services.database);
  if (wantsJson(reply.request)) return sendJson(reply, { webhooks: webhooks.map(webhookJson) });
  return sendPage(reply, webhooksPage({ webhooks, state, token: await formToken(reply) }));
}

async function createFromForm(visit: RequestContext): Promise<FastifyReply> {
  const { services, reply } = visit;
  const typed = readTyped(reply.request.body);
  const refuse = (faults: Faults) => (wantsJson(reply.request) ? sendFaults(reply, faults) : sendList(visit, { typed, faults }));
  const webhookForm = await readWebhook(typed, formChecks(services));
  if (!webhookForm.ok) return refuse(webhookForm.faults);
  const { name } = webhookForm.value;
  const newSecret = await createWebhook(services.database, webhookForm.value, requestBy(visit));
  if (!newSecret) return refuse({ name: takenNameFault(name) });
  return sendSecret(reply, { ...newSecret, name, what: `Webhook ${name} was created.` });
}

type NewSecret = { id: number; name: string; secret: string; what: string };

/** Sends the secret in the form's response instead of redirecting, because it is shown only once. */
async function sendSecret(reply: FastifyReply, { what, ...created }: NewSecret): Promise<FastifyReply> {
  if (wantsJson(reply.request)) return sendJson(reply.code(201), created);
  return sendPage(reply, webhookSecretPage({ what, ...created }));
}

function formChecks({ database, config }: DevDeps) {
  return { database, allowsHttp: config.values.WEBHOOK_NETWORKS.length > 0 };
}

function takenNameFault(name: string): string {
  return `Choose another name; webhook ${name} already exists`;
}

function requestBy({ services, reply }: RequestContext): By {
  return { ...reply.request.by, at: services.clock.now() };
}

type ActionContext = { services: DevDeps; webhook: Webhook; typed: TypedValues; by: By };
type ActionResult = { flash: string } | { faults: Faults } | { secret: string } | { deleted: string };

const WEBHOOK_ACTIONS: Readonly<Record<string, (acting: ActionContext) => Promise<ActionResult>>> = {
  async edit({ services, webhook, typed, by }) {
    const webhookForm = await readWebhook(typed, formChecks(services));
    if (!webhookForm.ok) return { faults: webhookForm.faults };
    const isChanged = await changeWebhook(services.database, { before: webhook, after: webhookForm.value }, by);
    return isChanged ? { flash: "The webhook was saved." } : { faults: { name: takenNameFault(webhookForm.value.name) } };
  },
  async rotate({ services: { database }, webhook, typed, by }) {
    const [hours] = OVERLAP_CHOICES.find(([one]) => one === typed["overlap"]) ?? ["0"];
    return { secret: await rotateWebhook(database, { ...webhook, oldUntil: by.at + Number(hours) * HOUR_MS }, by) };
  },
  async test({ services: { database }, webhook, by }) {
    await addTest(database, webhook, by);
    return { flash: "A test event will be sent within seconds. Reload the page to see the response." };
  },
  async again({ services: { database }, webhook, typed, by }) {
    const wasFound = await resendDelivery(database, { webhook, delivery: readId(typed["delivery"] ?? "") ?? 0 }, by);
    if (!wasFound) throw new NotFoundException("This delivery no longer exists");
    return { flash: "The delivery will be sent again within seconds." };
  },
  async disable({ services: { database }, webhook, by }) {
    await disableWebhook(database, webhook, by);
    return { flash: `${webhook.name} is disabled. Nothing is sent.` };
  },
  async enable({ services: { database }, webhook, by }) {
    await enableWebhook(database, webhook, by);
    return { flash: `${webhook.name} is enabled. The next delivery covers all changes since the last one that succeeded.` };
  },
  async delete({ services: { database }, webhook, typed, by }) {
    if (typed["sure"] !== "on") return { faults: { sure: "Confirm that you want to delete this webhook" } };
    await deleteWebhook(database, webhook, by);
    return { deleted: `Webhook ${webhook.name} was deleted.` };
  },
};

async function act(visit: RequestContext, webhook: Webhook, action: (typeof WEBHOOK_ACTIONS)[string]): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { id, name } = webhook;
  const typed = readTyped(reply.request.body);
  const result = await action({ services, webhook, typed, by: requestBy(visit) });
  if ("secret" in result) return sendSecret(reply, { id, name, secret: result.secret, what: `${name} has a new secret.` });
  if ("faults" in result) {
    if (wantsJson(reply.request)) return sendFaults(reply, result.faults);
    return sendWebhook(visit, webhook, { typed: { ...typedWebhook(webhook), ...typed }, faults: result.faults });
  }
  if (wantsJson(reply.request)) return sendJson(reply, { done: "flash" in result ? result.flash : result.deleted });
  return "deleted" in result
    ? seeOther(reply, path`/dev/webhooks`, result.deleted)
    : seeOther(reply, path`/dev/webhooks/${String(id)}`, result.flash);
}

async function sendWebhook({ services, reply }: RequestContext, webhook: Webhook, state?: FormState): Promise<FastifyReply> {
  const { database, clock } = services;
  const before = readId(readQuery(reply.request)["before"] ?? "");
  const deliveriesFound = await listDeliveries(database, webhook.id, { limit: MAX_SHOWN_DELIVERIES + 1, before });
  const deliveries = deliveriesFound.slice(0, MAX_SHOWN_DELIVERIES);
  const olderThan = deliveriesFound.length > MAX_SHOWN_DELIVERIES ? deliveries.at(-1)!.id : undefined;
  if (wantsJson(reply.request))
    return sendJson(reply, { ...webhookJson(webhook), deliveries: deliveries.map(deliveryJson), before: olderThan ?? null });
  const token = await formToken(reply);
  const formState = state ?? { typed: typedWebhook(webhook), faults: {} };
  return sendPage(reply, webhookPage({ webhook, deliveries, older: olderThan, state: formState, token, now: clock.now() }));
}
