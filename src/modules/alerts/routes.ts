import type { FastifyReply } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { By } from "../../records/audit.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { HttpException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import type { FormState } from "../../web/parts/fields.ts";
import { path } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { type Alert, listClosedAlerts, listOpenAlerts, muteAlert } from "./alert-store.ts";
import { readMute, readRule } from "./form.ts";
import { alertsPage } from "./page.ts";
import { createRule, deleteRule, listRules } from "./rule-store.ts";
import { type AlertRule, describeRule, findLimit } from "./rules.ts";

type AlertDeps = { database: Database; clock: Clock };

const NO_FAULTS: FormState = { typed: {}, faults: {} };

export const alertsModule: Module<AlertDeps> = {
  name: "alerts",
  about: "Alert rules, and the alerts they opened.",
  tables: ["alert_rule", "alert"],
  uses: ["channel"],
  jobs: ["checks the rules every minute"],
  register(app, services) {
    addAnyRoute(app, { url: "/tools/alerts", about: "alerts and their rules", acts: "admin" }, (request, reply) => {
      const name = actionOf(request);
      const action = name !== undefined && Object.hasOwn(ALERT_ACTIONS, name) ? ALERT_ACTIONS[name] : undefined;
      return action ? runAlertAction(services, reply, action) : showAlerts(services, reply, NO_FAULTS);
    });
  },
};

async function showAlerts({ database, clock }: AlertDeps, reply: FastifyReply, state: FormState): Promise<FastifyReply> {
  const [open, closed, rules] = await Promise.all([listOpenAlerts(database), listClosedAlerts(database), listRules(database)]);
  if (wantsJson(reply.request))
    return sendJson(reply, { open: open.map(alertJson), closed: closed.map(alertJson), rules: rules.map(ruleJson) });
  return sendPage(reply, alertsPage({ open, closed, rules, state, token: await formToken(reply), now: clock.now() }));
}

function alertJson({ id, rule, text, ...times }: Alert) {
  return {
    ...{ id, rule, text },
    openedAt: formatTime(times.opened_at),
    closedAt: formatTime(times.closed_at),
    mutedUntil: formatTime(times.muted_until),
    lastPostedAt: formatTime(times.posted_at),
    lastMailedAt: formatTime(times.mailed_at),
  };
}

function ruleJson(rule: AlertRule) {
  const { id, kind, limit, property = null, group = null, createdBy } = rule;
  return { id, kind, limit: findLimit(kind) ? limit : null, property, group, text: describeRule(rule), createdBy };
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

type ActionContext = { database: Database; typed: TypedValues; by: By };
type ActionResult = { flash: string } | { faults: Faults };

const ALERT_ACTIONS: Readonly<Record<string, (acting: ActionContext) => Promise<ActionResult>>> = {
  async create({ database, typed, by }) {
    const rule = await readRule(typed, database);
    if (!rule.ok) return { faults: rule.faults };
    await createRule(database, rule.value, by);
    return { flash: `The rule was created: ${describeRule(rule.value)}.` };
  },
  async delete({ database, typed, by }) {
    if (!(await deleteRule(database, parseId(typed), by))) throw new HttpException(409, "This rule no longer exists");
    return { flash: "The rule and its alerts were deleted." };
  },
  async mute({ database, typed, by }) {
    const until = readMute(typed, by.at);
    if (until === undefined) return { faults: { hours: "Choose how long to mute the alert" } };
    if (!(await muteAlert(database, { id: parseId(typed), until }, by))) throw new HttpException(409, "This alert is no longer open");
    return { flash: "The alert is muted." };
  },
  async unmute({ database, typed, by }) {
    if (!(await muteAlert(database, { id: parseId(typed), until: undefined }, by)))
      throw new HttpException(409, "This alert is no longer open");
    return { flash: "The alert is no longer muted." };
  },
};

function parseId({ id = "" }: TypedValues): number {
  return readId(id) ?? 0;
}

async function runAlertAction(services: AlertDeps, reply: FastifyReply, action: (typeof ALERT_ACTIONS)[string]): Promise<FastifyReply> {
  const { request } = reply;
  const typed = readTyped(request.body);
  const result = await action({ database: services.database, typed, by: { ...request.by, at: services.clock.now() } });
  if ("faults" in result)
    return wantsJson(request) ? sendFaults(reply, result.faults) : showAlerts(services, reply, { typed, faults: result.faults });
  return wantsJson(request) ? sendJson(reply, { done: result.flash }) : seeOther(reply, path`/tools/alerts`, result.flash);
}
