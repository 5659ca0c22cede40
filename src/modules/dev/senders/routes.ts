import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listMessages } from "../../../journal/messages.ts";
import { type By, listAudit } from "../../../records/audit.ts";
import { listCategoryBriefs } from "../../../records/category/store.ts";
import { findProperty } from "../../../records/property/store.ts";
import { actionOf, addAnyRoute, mayAct } from "../../../web/any-route.ts";
import { type Faults, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import type { FormState } from "../../../web/parts/fields.ts";
import { path } from "../../../web/path.ts";
import { endpointUrl } from "../../channel/endpoint.ts";
import { findChecklist } from "../../channel/senders/checklist-store.ts";
import { listCodes } from "../../channel/senders/code-store.ts";
import { createSender } from "../../channel/senders/edit-store.ts";
import { findHealth, listHealth } from "../../channel/senders/health-store.ts";
import { listCauses, listUnknownCodes } from "../../channel/senders/refusal-store.ts";
import { findSender, listSenders, type Sender, senderSubject } from "../../channel/senders/store.ts";
import { causeJson } from "../log/causes.ts";
import { toRecord } from "../log/export.ts";
import type { MessageStreams } from "../log/message-streams.ts";
import type { DevDeps } from "../needs.ts";
import { SENDER_ACTIONS } from "./actions.ts";
import { createPreviewed, sendCreatePreview } from "./create.ts";
import { readNewSender } from "./forms.ts";
import { type HotelCodes, type SenderInstructions, instructionsText } from "./instructions.ts";
import { type ListedSender, sendersPage, senderState } from "./list-page.ts";
import { secretPage, senderPage } from "./page.ts";
import { listPlanCodes } from "./plan-store.ts";
import { registerTail } from "./tail.ts";

const MAX_SHOWN_MESSAGES = 10;
const MAX_SHOWN_CHANGES = 20;
const MAX_HOTELS = 20;
const NO_FAULTS: FormState = { typed: {}, faults: {} };

type RequestContext = { services: DevDeps; reply: FastifyReply };

export function registerSenders(app: FastifyInstance, services: DevDeps, streams: MessageStreams): void {
  const config = { acts: "admin" } as const;
  addAnyRoute(app, { url: "/dev/senders", about: "connections: the systems that may post to /channel", ...config }, (request, reply) =>
    actionOf(request) === "create" ? createFromForm({ services, reply }) : sendList({ services, reply }),
  );
  registerTail(app, services.database, streams);
  addAnyRoute(app, { url: "/dev/senders/:name", about: "one connection", ...config }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const sender = await findSender(services.database, name);
    if (!sender) throw new NotFoundException(`Connection '${name}' not found`);
    return act({ services, reply }, sender);
  });
}

async function sendList({ services: { database, clock }, reply }: RequestContext, state = NO_FAULTS): Promise<FastifyReply> {
  const now = clock.now();
  const [senders, health] = await Promise.all([listSenders(database), listHealth(database, now)]);
  const sendersWithHealth = senders.map((sender) => ({ ...sender, health: health.get(sender.name) }));
  if (wantsJson(reply.request)) return sendJson(reply, { connections: sendersWithHealth.map((sender) => listedJson(sender, now)) });
  return sendPage(reply, sendersPage({ senders: sendersWithHealth, state, token: await formToken(reply), now }));
}

function listedJson({ health, ...sender }: ListedSender, now: number) {
  return { ...senderJson(sender, now), ...healthJson(health) };
}

function senderJson({ name, hotels, profile, createdAt, expiresAt, oldUntil, usedAt, digest, ...sender }: Sender, now: number) {
  return {
    ...{ name, state: senderState({ name, hotels, profile, createdAt, expiresAt, oldUntil, usedAt, digest, ...sender }, now) },
    ...{ properties: hotels ?? null, profile, digest },
    ...{
      createdAt: formatTime(createdAt),
      expiresAt: formatTime(expiresAt),
      previousSecretUntil: formatTime(oldUntil),
      lastSignInAt: formatTime(usedAt),
    },
  };
}

function healthJson(health: ListedSender["health"]) {
  return {
    lastAcceptedAt: formatTime(health?.lastAccepted?.received_at),
    lastRefusedAt: formatTime(health?.lastRefused?.received_at),
    lastRefusal: health?.lastRefused?.summary ?? null,
    acceptedShare: health?.acceptedShare ?? null,
    hours: health?.hours ?? [],
  };
}

function formatTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

async function createFromForm(visit: RequestContext): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { request } = reply;
  const { database, clock } = services;
  const typed = readTyped(request.body);
  const refuse = (faults: Faults) => (wantsJson(request) ? sendFaults(reply, faults) : sendList(visit, { typed, faults }));
  const newSender = await readNewSender(database, typed, clock.now());
  if (!newSender.ok) return refuse(newSender.faults);
  const secret = await createSender(database, newSender.value, requestBy(services, request));
  if (secret === undefined) return refuse({ name: `Choose another name; connection ${newSender.value.name} already exists` });
  return sendSecret(visit, { name: newSender.value.name, secret, what: `Connection ${newSender.value.name} was created.` });
}

type NewSecret = { name: string; secret: string; what: string };

/** Sends the secret in the form's response instead of redirecting, because only its hash is stored. */
async function sendSecret({ services, reply }: RequestContext, { name, secret, what }: NewSecret): Promise<FastifyReply> {
  const sender = (await findSender(services.database, name))!;
  if (wantsJson(reply.request)) return sendJson(reply.code(201), { name, secret });
  return sendPage(reply, secretPage({ ...(await loadInstructions(services, sender, reply.request)), secret }, what));
}

function requestBy({ clock }: DevDeps, request: FastifyRequest): By {
  return { ...request.by, at: clock.now() };
}

async function act(visit: RequestContext, sender: Sender): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { request } = reply;
  const name = actionOf(request);
  if (name === "create-records") return createPreviewed(visit, sender.name);
  if (name === undefined && readTyped(request.query).view === "create" && mayAct(request)) return sendCreatePreview(visit, sender.name);
  const action = name !== undefined && Object.hasOwn(SENDER_ACTIONS, name) ? SENDER_ACTIONS[name] : undefined;
  if (!action) return sendSender(visit, sender);
  const typed = readTyped(request.body);
  const result = await action({ database: services.database, sender, typed, by: requestBy(services, request) });
  if ("secret" in result) return sendSecret(visit, { name: sender.name, secret: result.secret, what: `${sender.name} has a new secret.` });
  if ("faults" in result)
    return wantsJson(request) ? sendFaults(reply, result.faults) : sendSender(visit, sender, { typed, faults: result.faults });
  if (wantsJson(request)) return sendJson(reply, { done: "flash" in result ? result.flash : result.deleted });
  return "deleted" in result
    ? seeOther(reply, path`/dev/senders`, result.deleted)
    : seeOther(reply, path`/dev/senders/${sender.name}`, result.flash);
}

async function sendSender({ services, reply }: RequestContext, sender: Sender, state = NO_FAULTS): Promise<FastifyReply> {
  const { database, clock } = services;
  const [now, { name }] = [clock.now(), sender];
  const [health, checklist, causes, unknown, codes, { messages }, history] = await Promise.all([
    findHealth(database, { sender: name, now }),
    findChecklist(database, { sender: name, now }),
    listCauses(database, { sender: name, now }),
    listUnknownCodes(database, { sender: name, now }),
    listCodes(database, name),
    listMessages(database, { sender: name, limit: MAX_SHOWN_MESSAGES }),
    listAudit(database, senderSubject(name), MAX_SHOWN_CHANGES),
  ]);
  const instructions = await loadInstructions(services, sender, reply.request);
  if (!checklist) throw new NotFoundException(`Connection '${name}' not found`);
  if (wantsJson(reply.request)) {
    const parts = { checklist, refusals: causes.map(causeJson), unknownCodes: unknown, codes, messages: messages.map(toRecord) };
    return sendJson(reply, {
      ...listedJson({ ...sender, health }, now),
      ...parts,
      instructions: instructionsText(instructions),
    });
  }
  const page = senderPage({
    ...{ sender, health, checklist, causes, unknown, codes, messages, history, instructions, state, now },
    token: await formToken(reply),
  });
  return sendPage(reply, page);
}

async function loadInstructions(services: DevDeps, sender: Sender, request: FastifyRequest): Promise<SenderInstructions> {
  const codes = (sender.hotels ?? []).slice(0, MAX_HOTELS);
  const hotels = await Promise.all(codes.map((code) => listHotelCodes(services, code)));
  return { sender, endpoint: endpointUrl(services, request), hotels: hotels.filter((hotel) => hotel !== undefined) };
}

async function listHotelCodes({ database }: DevDeps, code: string): Promise<HotelCodes | undefined> {
  const [property, categories, plans] = await Promise.all([
    findProperty(database, code),
    listCategoryBriefs(database, code),
    listPlanCodes(database, code),
  ]);
  return property && { code, name: property.name, categories: categories.map((category) => category.code), plans };
}
