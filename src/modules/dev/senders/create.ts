import type { FastifyReply } from "fastify";
import { listNewest } from "../../../journal/messages.ts";
import { readPropertyField } from "../../../records/property/property.ts";
import { type Faults, readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { HttpException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { path } from "../../../web/path.ts";
import { readProposals } from "../../channel/senders/proposals.ts";
import type { DevDeps } from "../needs.ts";
import { isCodeKind } from "./codes.ts";
import { createRecordsPage } from "./create-page.ts";
import { chooseProposals, type PlannedCreation, toCreation, createRecords } from "./create-records.ts";

type RequestContext = { services: DevDeps; reply: FastifyReply };

/** Previews the records that would be created for the unknown codes in a sender's refused messages. */
export async function sendCreatePreview(visit: RequestContext, sender: string, faults: Faults = {}): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { request } = reply;
  const [newest] = await listNewest(services.database, 1);
  const newestId = newest?.id ?? 0;
  const creations = await readCreations(visit, sender, newestId);
  if (wantsJson(request)) return sendJson(reply, { upTo: newestId, properties: creations.map(creationJson) });
  const state = { typed: readTyped(request.body), faults };
  return sendPage(reply, createRecordsPage({ sender, creations, upTo: newestId, state, token: await formToken(reply) }));
}

async function readCreations({ services, reply }: RequestContext, sender: string, newestId: number): Promise<PlannedCreation[]> {
  const { kind = "", property = "", code = "" } = readTyped(reply.request.query);
  const chosenKind = isCodeKind(kind) ? kind : undefined;
  if (kind !== "" && chosenKind === undefined) throw new HttpException(422, "Choose a kind: property, category or plan");
  const proposals = (await readProposals(services.database, { sender, now: services.clock.now(), upTo: newestId })) ?? [];
  return chooseProposals(proposals, { kind: chosenKind, property, code }).map(toCreation);
}

function creationJson({ property, proposal, fields, needsAccess, categories, plans, impossible }: PlannedCreation): object {
  return {
    ...{ property, isNew: proposal.row !== undefined, name: fields?.name, currency: fields?.currency, needsAccess, impossible },
    categories: categories.map(({ code, name: title, rooms, maxOccupancy }) => ({ code, name: title, rooms, maxOccupancy })),
    plans: plans.map(({ code, name: title, currency: money, mealPlan }) => ({ code, name: title, currency: money, mealPlan })),
  };
}

/** Creates the records of the preview. Ignores messages that arrived after it. */
export async function createPreviewed(visit: RequestContext, sender: string): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { request } = reply;
  const { upTo: newestId = "", timeZone = "", access = "" } = readTyped(request.body);
  const creations = await readCreations(visit, sender, readId(newestId) ?? 0);
  const timeZoneField = readPropertyField("timeZone", timeZone);
  const faults: Record<string, string> = {};
  if (timeZoneField.problem !== undefined) faults["timeZone"] = `Choose ${timeZoneField.problem}`;
  if (creations.some(({ needsAccess }) => needsAccess) && access !== "on")
    faults["access"] = "Confirm that you want to give the connection access";
  if (Object.keys(faults).length > 0) return wantsJson(request) ? sendFaults(reply, faults) : sendCreatePreview(visit, sender, faults);
  const by = { ...request.by, at: services.clock.now() };
  const createdCounts = await createRecords(services.database, { creations, sender, timeZone: timeZoneField.value ?? "UTC" }, by);
  if (wantsJson(request)) return sendJson(reply, createdCounts);
  return seeOther(reply, path`/dev/senders/${sender}`, `Created: ${countsText(createdCounts)}.`);
}

function countsText({ properties, categories, plans }: { properties: number; categories: number; plans: number }): string {
  const words = [
    [properties, "property", "properties"],
    [categories, "category", "categories"],
    [plans, "rate plan", "rate plans"],
  ] as const;
  const countTexts = words.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]));
  return countTexts.length === 0 ? "nothing new" : countTexts.join(", ");
}
