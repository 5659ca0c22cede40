import type { FastifyReply, FastifyRequest } from "fastify";
import { readPropertyPage } from "../../grid/property-page.ts";
import { listPlanEdits, previewPlanEdit } from "../../journal/plan-edits.ts";
import { findAudit, listAudit } from "../../records/audit.ts";
import { newPlanForm, type Plan, PLAN_WORDS, planForm } from "../../records/plan/plan.ts";
import { createPlan, findPlan, listPlans, planSubject, updatePlan } from "../../records/plan/store.ts";
import type { Property } from "../../records/property/property.ts";
import { findProperty } from "../../records/property/store.ts";
import { actionOf, addAnyRoute, mayAct } from "../../web/any-route.ts";
import { type Faults, readForm, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../web/page.ts";
import { historyJson, readHistory } from "../../web/parts/history.ts";
import { keptNights } from "../../web/parts/property-header.ts";
import { openEdit, type RecordEdit, sendEdit } from "../../web/record-edit.ts";
import type { Module } from "../module.ts";
import { PLAN_ACTIONS, undoEdit } from "./actions.ts";
import { editsJson, planJson } from "./json.ts";
import { planListPage, withoutPropertyPage } from "./list-page.ts";
import { listMappedCodes } from "./mapping-store.ts";
import { authorOf, type PlanDeps, type RequestContext } from "./needs.ts";
import { planPath } from "./paths.ts";
import { editPlanPage, newPlanPage, planPage, type PlanView } from "./plan-page.ts";
import { mergePage, removalPage } from "./preview-page.ts";
import { readPlanPrices } from "./prices.ts";

export const plansModule: Module<PlanDeps> = {
  name: "plans",
  about: "Rate plans: name, meal plan and currency, and whether they are for sale.",
  tables: ["rate_plan"],
  uses: [],
  register(app, services) {
    const route = { url: "/tools/plans", about: "a property's rate plans", words: PLAN_WORDS } as const;
    addAnyRoute(app, { ...route, tokens: { read: "read", property: "property" } }, (request, reply) =>
      handlePlans({ services, reply }, request),
    );
  },
};

const ENTER_PROPERTY_TEXT = "Enter the code of a property";

async function handlePlans(visit: RequestContext, request: FastifyRequest): Promise<FastifyReply> {
  const { services, reply } = visit;
  const query = readTyped(request.query);
  const { property: code = "", plan, view } = query;
  if (code === "") return wantsJson(request) ? sendFaults(reply, { property: ENTER_PROPERTY_TEXT }) : sendPage(reply, withoutPropertyPage);
  const property = await findProperty(services.database, code);
  if (!property) throw new NotFoundException(`Property '${code}' not found`);
  if (plan !== undefined) return handlePlan(visit, property, query);
  const action = actionOf(request);
  if (action === "create") return createFromForm(visit, property);
  if (action === "undo") return undoEdit(visit, code);
  return view === "new" && mayAct(request) ? sendNew(visit, property, { typed: {}, faults: {} }) : sendList(visit, property);
}

async function handlePlan(visit: RequestContext, property: Property, { plan: code = "", view }: TypedValues): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { request } = reply;
  const plan = await findPlan(services.database, { property: property.code, code });
  if (!plan) throw new NotFoundException(`Rate plan '${property.code}/${code}' not found`);
  const action = actionOf(request) ?? "";
  if (action === "save") return savePlan(visit, property, plan);
  if (Object.hasOwn(PLAN_ACTIONS, action)) return PLAN_ACTIONS[action]!(visit, plan);
  if (view === "merge" && mayAct(request)) return sendMerge(visit, property, plan);
  if (view === "remove" && mayAct(request)) return sendRemoval(visit, property, plan);
  return wantsJson(request) ? sendPlanJson(visit, property, plan) : sendPlan(visit, property, plan);
}

async function sendPlansTab({ services, reply }: RequestContext, property: Property, page: Page): Promise<FastifyReply> {
  const nights = keptNights(readTyped(reply.request.query));
  return sendPage(reply, { ...page, property: await readPropertyPage(services.database, property.code, { tab: "plans", nights }) });
}

async function sendList(visit: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { database, clock } = services;
  const [stored, prices, edits] = await Promise.all([
    listPlans(database, property.code),
    readPlanPrices(database, { property, now: clock.now() }),
    listPlanEdits(database, property.code),
  ]);
  const plans = stored.map((plan) => ({ ...plan, pricedNights: prices.get(plan.code)?.nights ?? 0, last: prices.get(plan.code)?.last }));
  if (wantsJson(reply.request)) return sendJson(reply, { plans: plans.map(planJson), edits: editsJson(edits) });
  return sendPlansTab(visit, property, planListPage({ property, plans, edits, token: await formToken(reply) }));
}

async function sendNew(visit: RequestContext, property: Property, state: { typed: TypedValues; faults: Faults }): Promise<FastifyReply> {
  return sendPlansTab(visit, property, newPlanPage(property.code, state, await formToken(visit.reply)));
}

async function createFromForm(visit: RequestContext, property: Property): Promise<FastifyReply> {
  const { services, reply } = visit;
  const form = readForm(newPlanForm, reply.request.body);
  const refuse = (faults: Faults) =>
    wantsJson(reply.request) ? sendFaults(reply, faults) : sendNew(visit, property, { typed: form.typed, faults });
  if (!form.ok) return refuse(form.faults);
  const fields = { ...form.value, property: property.code };
  const outcome = await createPlan(services.database, fields, authorOf(visit));
  if (outcome === "no property") throw new NotFoundException(`Property '${property.code}' not found`);
  if (outcome === "duplicate") return refuse({ code: `Choose another code; rate plan ${fields.code} already exists` });
  return seeOther(reply, planPath(fields), `Rate plan ${fields.code} was created.`);
}

async function readView({ services, reply }: RequestContext, property: Property, plan: Plan): Promise<PlanView> {
  const { database, clock } = services;
  const [prices, changes] = await Promise.all([
    readPlanPrices(database, { property, now: clock.now() }),
    readHistory(reply.request.query, (limit) => listAudit(database, planSubject(plan), limit)),
  ]);
  return { plan, prices: prices.get(plan.code), changes };
}

async function sendPlanJson(visit: RequestContext, property: Property, plan: Plan): Promise<FastifyReply> {
  const { prices, changes } = await readView(visit, property, plan);
  const storedPlan = (await listPlans(visit.services.database, property.code)).find(({ code }) => code === plan.code);
  const line = { ...plan, sender: storedPlan?.sender, lastSeenAt: storedPlan?.lastSeenAt ?? plan.createdAt };
  return sendJson(visit.reply, {
    ...planJson({ ...line, pricedNights: prices?.nights ?? 0, last: prices?.last }),
    ...historyJson(changes),
  });
}

async function sendPlan(visit: RequestContext, property: Property, plan: Plan): Promise<FastifyReply> {
  const { services, reply } = visit;
  if (!mayAct(reply.request)) return sendPlansTab(visit, property, planPage(await readView(visit, property, plan)));
  const edit = await openEdit(plan, reply.request.query, (id) => findAudit(services.database, planSubject(plan), id));
  return sendPlansTab(visit, property, await editPage(visit, property, edit));
}

async function editPage(visit: RequestContext, property: Property, edit: RecordEdit<Plan>): Promise<Page> {
  return editPlanPage(await readView(visit, property, edit.record), edit, await formToken(visit.reply));
}

async function savePlan(visit: RequestContext, property: Property, plan: Plan): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { database } = services;
  return sendEdit(reply, {
    record: plan,
    rules: planForm,
    async save(edit) {
      const updateResult = await updatePlan(database, edit, authorOf(visit));
      if (!updateResult) throw new NotFoundException(`Rate plan '${plan.property}/${plan.code}' not found`);
      return updateResult;
    },
    lastChange: async () => (await listAudit(database, planSubject(plan), 1))[0],
    page: async (edit) => {
      const nights = keptNights(readTyped(reply.request.query));
      const header = await readPropertyPage(database, property.code, { tab: "plans", nights });
      return { ...(await editPage(visit, property, edit)), property: header };
    },
    to: planPath(plan),
    label: `Rate plan ${plan.code}`,
  });
}

async function sendMerge(visit: RequestContext, property: Property, plan: Plan): Promise<FastifyReply> {
  const { services, reply } = visit;
  const { database } = services;
  const typed = readTyped(reply.request.query);
  const { into } = typed;
  const plans = await listPlans(database, property.code);
  const otherPlans = plans
    .filter(({ code }) => code !== plan.code)
    .map(({ code, name }) => [code, name === undefined ? code : `${code} – ${name}`] as const);
  const isKnown = otherPlans.some(([code]) => code === into);
  const faults: Faults =
    into === undefined || isKnown || otherPlans.length === 0 ? {} : { into: `Choose another rate plan in ${property.code}` };
  const counts = isKnown ? await previewPlanEdit(database, { property: property.code, plan: plan.code, into }) : undefined;
  if (wantsJson(reply.request))
    return Object.keys(faults).length > 0 ? sendFaults(reply, faults) : sendJson(reply, { moved: counts?.moved, dropped: counts?.dropped });
  const mappedCodes = await listMappedCodes(database, plan);
  const page = mergePage({
    plan,
    others: otherPlans,
    into,
    counts,
    mapped: mappedCodes,
    state: { typed, faults },
    token: await formToken(reply),
  });
  return sendPlansTab(visit, property, page);
}

async function sendRemoval(visit: RequestContext, property: Property, plan: Plan): Promise<FastifyReply> {
  const { services, reply } = visit;
  const counts = await previewPlanEdit(services.database, { property: property.code, plan: plan.code, into: undefined });
  if (!counts) throw new NotFoundException(`Rate plan '${plan.property}/${plan.code}' not found`);
  if (wantsJson(reply.request)) return sendJson(reply, { dropped: counts.dropped });
  const mappedCodes = await listMappedCodes(services.database, plan);
  return sendPlansTab(visit, property, removalPage({ plan, counts, mapped: mappedCodes, token: await formToken(reply) }));
}
