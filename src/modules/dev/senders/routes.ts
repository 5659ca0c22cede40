import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HOUR_MS } from "../../../calendar/night.ts";
import { listMessages } from "../../../journal/messages.ts";
import { type By, listAudit } from "../../../records/audit.ts";
import { categoriesOf, findCategory } from "../../../records/category/store.ts";
import { findProperty } from "../../../records/property/store.ts";
import { actionOf, anyRoute } from "../../../web/any-route.ts";
import { type Faults, readTyped, type Typed } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../../web/page.ts";
import { path } from "../../../web/path.ts";
import { endpointOf } from "../../channel/endpoint.ts";
import { findChecklist } from "../../channel/senders/checklist-store.ts";
import { type CodeKind, listCodes, removeCode, setCode } from "../../channel/senders/code-store.ts";
import {
  createSender,
  deleteSender,
  disableSender,
  enableSender,
  endOldSecret,
  narrowScope,
  rotateSecret,
  setProfile,
  widenScope,
} from "../../channel/senders/edit-store.ts";
import { listHealth } from "../../channel/senders/health-store.ts";
import { listCauses, listUnknownCodes } from "../../channel/senders/refusal-store.ts";
import { findSender, listSenders, type Sender, senderSubject } from "../../channel/senders/store.ts";
import { toRecord } from "../log/export.ts";
import type { DevNeeds } from "../needs.ts";
import { KIND_LABELS } from "./codes.ts";
import { codesIn, firstUnknown, readDays, readNewSender, readProfileForm } from "./forms.ts";
import { type HotelCodes, type Instructions, instructionsText } from "./instructions.ts";
import { type ListedSender, sendersPage, stateOf } from "./list-page.ts";
import { secretPage, senderPage } from "./page.ts";
import { listPlanCodes } from "./plan-store.ts";
import { OVERLAPS } from "./settings.ts";
import { registerTail } from "./tail.ts";

const MESSAGES_SHOWN = 10;
const HISTORY_SHOWN = 20;
const MAX_HOTELS = 20;
const NO_FAULTS = { typed: {}, faults: {} };

export function registerSenders(app: FastifyInstance, services: DevNeeds): void {
  const config = { acts: "admin" } as const;
  anyRoute(app, { url: "/dev/senders", about: "connections: who may post to /channel", ...config }, (request, reply) =>
    actionOf(request) === "create" ? create(services, request, reply) : sendList(services, reply, NO_FAULTS),
  );
  registerTail(app, services);
  anyRoute(app, { url: "/dev/senders/:name", about: "one connection", ...config }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const sender = await findSender(services.database, name);
    if (!sender) throw new NotFoundException(`Connection '${name}' not found`);
    return act(services, sender, { request, reply });
  });
}

async function sendList(services: DevNeeds, reply: FastifyReply, state: { typed: Typed; faults: Faults }): Promise<FastifyReply> {
  const { database, clock } = services;
  const now = clock.now();
  const [senders, health] = await Promise.all([listSenders(database), listHealth(database, now)]);
  const listed = senders.map((sender) => ({ ...sender, health: health.get(sender.name) }));
  if (wantsJson(reply.request)) return sendJson(reply, { connections: listed.map((sender) => listedJson(sender, now)) });
  return sendPage(reply, sendersPage({ senders: listed, state, token: await formToken(reply), now }));
}

function listedJson({ health, ...sender }: ListedSender, now: number) {
  return { ...senderJson(sender, now), ...healthJson(health) };
}

function senderJson({ name, hotels, profile, createdAt, expiresAt, oldUntil, usedAt, digest, ...sender }: Sender, now: number) {
  return {
    ...{ name, state: stateOf({ name, hotels, profile, createdAt, expiresAt, oldUntil, usedAt, digest, ...sender }, now) },
    ...{ properties: hotels ?? null, profile, digest },
    ...{ createdAt: time(createdAt), expiresAt: time(expiresAt), previousSecretUntil: time(oldUntil), lastSignInAt: time(usedAt) },
  };
}

function healthJson(health: ListedSender["health"]) {
  return {
    lastAcceptedAt: time(health?.lastAccepted?.received_at),
    lastRefusedAt: time(health?.lastRefused?.received_at),
    lastRefusal: health?.lastRefused?.summary ?? null,
    acceptedShare: health?.acceptedShare ?? null,
    hours: health?.hours ?? [],
  };
}

function time(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

async function create(services: DevNeeds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { database, clock } = services;
  const typed = readTyped(request.body);
  const refuse = (faults: Faults) => (wantsJson(request) ? sendFaults(reply, faults) : sendList(services, reply, { typed, faults }));
  const read = await readNewSender(database, typed, clock.now());
  if (!read.ok) return refuse(read.faults);
  const secret = await createSender(database, read.value, byOf(services, request));
  if (secret === undefined) return refuse({ name: `Enter another name; connection ${read.value.name} already exists` });
  return sendSecret(services, reply, { name: read.value.name, secret, what: `Connection ${read.value.name} was created.` });
}

type NewSecret = { name: string; secret: string; what: string };

/** The secret is in the answer itself, not behind a redirect, because only its hash is stored. */
async function sendSecret(services: DevNeeds, reply: FastifyReply, { name, secret, what }: NewSecret): Promise<FastifyReply> {
  const sender = (await findSender(services.database, name))!;
  if (wantsJson(reply.request)) return sendJson(reply.code(201), { name, secret });
  return sendPage(reply, secretPage({ ...(await instructionsOf(services, sender, reply.request)), secret }, what));
}

function byOf({ clock }: DevNeeds, request: FastifyRequest): By {
  return { ...request.by, at: clock.now() };
}

/** What an action did: a text to show on the page again, faults of its form, or an answer of its own. */
type Done = { flash: string } | { faults: Faults } | { answer: FastifyReply | Promise<FastifyReply> };
type Act = (acting: Acting) => Promise<Done>;
type Acting = { services: DevNeeds; sender: Sender; typed: Typed; by: By; reply: FastifyReply };

async function act(services: DevNeeds, sender: Sender, { request, reply }: { request: FastifyRequest; reply: FastifyReply }) {
  const name = actionOf(request);
  const action = name !== undefined && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) return sendSender(services, sender, reply, NO_FAULTS);
  const typed = readTyped(request.body);
  const done = await action({ services, sender, typed, by: byOf(services, request), reply });
  if ("answer" in done) return done.answer;
  if ("faults" in done)
    return wantsJson(request) ? sendFaults(reply, done.faults) : sendSender(services, sender, reply, { typed, faults: done.faults });
  if (wantsJson(request)) return sendJson(reply, { done: done.flash });
  return seeOther(reply, path`/dev/senders/${sender.name}`, done.flash);
}

const ACTIONS: Readonly<Record<string, Act>> = {
  async rotate({ services, sender, typed, by, reply }) {
    const [hours] = OVERLAPS.find(([one]) => one === typed["overlap"]) ?? ["0"];
    const expiresAt = readDays(typed["days"] ?? "", by.at);
    if (!expiresAt.ok) return { faults: expiresAt.faults };
    const rotation = {
      name: sender.name,
      oldUntil: by.at + Number(hours) * HOUR_MS,
      expiresAt: expiresAt.value,
      digest: typed["digest"] === "on",
    };
    const secret = await rotateSecret(services.database, rotation, by);
    if (secret === undefined) throw new NotFoundException(`Connection '${sender.name}' not found`);
    return { answer: sendSecret(services, reply, { name: sender.name, secret, what: `${sender.name} has a new secret.` }) };
  },
  async "end-old"({ services, sender, by }) {
    await endOldSecret(services.database, sender.name, by);
    return { flash: "The previous secret no longer works." };
  },
  async profile({ services, sender, typed, by }) {
    const read = readProfileForm(typed);
    if (!read.ok) return { faults: read.faults };
    await setProfile(services.database, { name: sender.name, profile: read.value }, by);
    return { flash: "The profile was saved." };
  },
  async narrow({ services, sender, typed, by }) {
    const hotels = codesIn(typed["keep"] ?? "");
    if (hotels.length === 0) return { faults: { keep: "Enter at least one property code" } };
    const unknown = await firstUnknown(services.database, hotels);
    if (unknown !== undefined) return { faults: { keep: `Property ${unknown} does not exist` } };
    const result = await narrowScope(services.database, { name: sender.name, hotels }, by);
    if (result === "wider") return { faults: { keep: "This would add properties. Use “Add properties” for that" } };
    return { flash: `${sender.name} has access to ${hotels.join(", ")} only.` };
  },
  widen: widenAccess,
  async disable({ services, sender, by }) {
    await disableSender(services.database, sender.name, by);
    return { flash: `${sender.name} is disabled. Its messages are refused.` };
  },
  async enable({ services, sender, by }) {
    await enableSender(services.database, sender.name, by);
    return { flash: `${sender.name} is enabled.` };
  },
  async delete({ services, sender, typed, by, reply }) {
    if (typed["sure-delete"] !== "on") return { faults: { "sure-delete": "Confirm that you want to delete this connection" } };
    await deleteSender(services.database, sender.name, by);
    return { answer: seeOther(reply, path`/dev/senders`, `Connection ${sender.name} was deleted.`) };
  },
  map: mapCode,
  async unmap({ services, sender, typed, by }) {
    const { kind = "", property = "", code = "" } = typed;
    await removeCode(services.database, { sender: sender.name, kind: kind as CodeKind, property, code }, by);
    return { flash: `Code ${code} is no longer mapped.` };
  },
};

async function widenAccess({ services: { database }, sender: { name }, typed, by }: Acting): Promise<Done> {
  const hotels = typed["all"] === "on" ? undefined : codesIn(typed["add"] ?? "");
  const faults: Record<string, string> = {};
  const unknown = await firstUnknown(database, hotels ?? []);
  if (hotels?.length === 0) faults["add"] = "Enter at least one property code, or choose all properties";
  if (unknown !== undefined) faults["add"] = `Property ${unknown} does not exist`;
  if (typed["sure"] !== "on") faults["sure"] = "Confirm that you want to give this connection more access";
  if (Object.keys(faults).length > 0) return { faults };
  await widenScope(database, { name, hotels }, by);
  return { flash: `${name} now has access to ${hotels?.join(", ") ?? "all properties"}.` };
}

async function mapCode({ services: { database }, sender, typed, by }: Acting): Promise<Done> {
  const { kind = "", property = "", code = "", target = "" } = typed;
  if (!isKind(kind)) return { faults: { kind: "Choose a property, a category or a rate plan" } };
  if (code === "") return { faults: { code: "Enter the sender's code" } };
  const fault = await targetFault({ kind, property, target }, database);
  if (fault) return { faults: fault };
  const mapped = { sender: sender.name, kind, property: kind === "property" ? "" : property, code, target };
  const result = await setCode(database, mapped, by);
  if (result === "duplicate") return { faults: { target: `Another code of this sender already stands for ${target}` } };
  return { flash: `${code} now stands for ${KIND_LABELS[kind]} ${target}.` };
}

function isKind(kind: string): kind is CodeKind {
  return Object.hasOwn(KIND_LABELS, kind);
}

type Target = { kind: CodeKind; property: string; target: string };

/** A rate plan may be created later by a message, so its code need not exist. */
async function targetFault({ kind, property, target }: Target, database: DevNeeds["database"]): Promise<Faults | undefined> {
  if (target === "") return { target: "Enter our code" };
  if (kind === "property") return (await findProperty(database, target)) ? undefined : { target: `Property ${target} does not exist` };
  if (!(await findProperty(database, property)))
    return { property: property === "" ? "Enter a property code" : `Property ${property} does not exist` };
  if (kind === "plan" || (await findCategory(database, property, target))) return undefined;
  return { target: `Property ${property} has no category ${target}` };
}

async function sendSender(services: DevNeeds, sender: Sender, reply: FastifyReply, state: { typed: Typed; faults: Faults }) {
  const { database, clock } = services;
  const [now, { name }] = [clock.now(), sender];
  const [health, checklist, causes, unknown, codes, { messages }, history] = await Promise.all([
    listHealth(database, now),
    findChecklist(database, { sender: name, now }),
    listCauses(database, { sender: name, now }),
    listUnknownCodes(database, { sender: name, now }),
    listCodes(database, name),
    listMessages(database, { sender: name, limit: MESSAGES_SHOWN }),
    listAudit(database, senderSubject(name), HISTORY_SHOWN),
  ]);
  const instructions = await instructionsOf(services, sender, reply.request);
  if (!checklist) throw new NotFoundException(`Connection '${name}' not found`);
  if (wantsJson(reply.request)) {
    const parts = { checklist, refusals: causes, unknownCodes: unknown, codes, messages: messages.map(toRecord) };
    return sendJson(reply, {
      ...listedJson({ ...sender, health: health.get(name) }, now),
      ...parts,
      instructions: instructionsText(instructions),
    });
  }
  const page: Page = senderPage({
    ...{ sender, health: health.get(name), checklist, causes, unknown, codes, messages, history, instructions, state, now },
    token: await formToken(reply),
  });
  return sendPage(reply, page);
}

async function instructionsOf(services: DevNeeds, sender: Sender, request: FastifyRequest): Promise<Instructions> {
  const codes = (sender.hotels ?? []).slice(0, MAX_HOTELS);
  const hotels = await Promise.all(codes.map((code) => codesOf(services, code)));
  return { sender, endpoint: endpointOf(services, request), hotels: hotels.filter((hotel) => hotel !== undefined) };
}

async function codesOf({ database }: DevNeeds, code: string): Promise<HotelCodes | undefined> {
  const [property, categories, plans] = await Promise.all([
    findProperty(database, code),
    categoriesOf(database, code),
    listPlanCodes(database, code),
  ]);
  return property && { code, name: property.name, categories: categories.map((category) => category.code), plans };
}
