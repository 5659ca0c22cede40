import type { FastifyReply } from "fastify";
import { editPlan, undoPlanEdit } from "../../journal/plan-edits.ts";
import type { Plan } from "../../records/plan/plan.ts";
import { updatePlan } from "../../records/plan/store.ts";
import { readId, readTyped } from "../../web/form.ts";
import { HttpException } from "../../web/http-error.ts";
import { sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther } from "../../web/page.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { authorOf, type RequestContext } from "./needs.ts";
import { planPath, plansPath } from "./paths.ts";

type PlanAction = (visit: RequestContext, plan: Plan) => Promise<FastifyReply>;

/** Actions on one rate plan, except saving its form. */
export const PLAN_ACTIONS: Readonly<Record<string, PlanAction>> = {
  retire: (visit, plan) => setStatus(visit, plan, "retired"),
  restore: (visit, plan) => setStatus(visit, plan, "active"),
  merge: mergePlan,
  remove: removePlan,
};

async function setStatus(visit: RequestContext, plan: Plan, status: "active" | "retired"): Promise<FastifyReply> {
  const { reply, services } = visit;
  const updateResult = await updatePlan(
    services.database,
    { key: plan, version: plan.version, fields: { ...plan, status } },
    authorOf(visit),
  );
  if (!updateResult || updateResult.outcome === "conflict") throw conflictException(plan.code);
  if (wantsJson(reply.request)) return sendJson(reply, { code: plan.code, status });
  const flash =
    status === "retired"
      ? `Rate plan ${plan.code} was retired. It is not for sale.`
      : `Rate plan ${plan.code} was restored. It is back on sale.`;
  return seeOther(reply, planPath(plan), flash);
}

async function mergePlan(visit: RequestContext, plan: Plan): Promise<FastifyReply> {
  const { into = "" } = readTyped(visit.reply.request.body);
  if (into === plan.code || into === "") throw new HttpException(422, "Choose another rate plan to merge into.");
  return applyPlanEdit(visit, plan, into);
}

async function removePlan(visit: RequestContext, plan: Plan): Promise<FastifyReply> {
  return applyPlanEdit(visit, plan, undefined);
}

async function applyPlanEdit(visit: RequestContext, { property, code }: Plan, into: string | undefined): Promise<FastifyReply> {
  const { reply, services } = visit;
  const planEdit = await editPlan(services.database, { property, plan: code, into }, authorOf(visit));
  if (!planEdit) throw conflictException(into ?? code);
  if (wantsJson(reply.request)) return sendJson(reply, planEdit);
  const removedText = `${formatCount(planEdit.dropped, "night")} removed`;
  const flash =
    into === undefined
      ? `Rate plan ${code} was removed: ${removedText}.`
      : `Rate plan ${code} was merged into ${into}: ${formatCount(planEdit.moved, "night")} moved, ${removedText}.`;
  return seeOther(reply, plansPath(property), flash);
}

function conflictException(code: string): HttpException {
  return new HttpException(409, `Rate plan ${code} has been changed or removed. Open its page again and retry.`);
}

const GONE_RESULT = { refused: "gone" } as const;

export async function undoEdit(visit: RequestContext, property: string): Promise<FastifyReply> {
  const { reply, services } = visit;
  const message = readId(readTyped(reply.request.body)["message"] ?? "");
  const undoResult = message === undefined ? GONE_RESULT : await undoPlanEdit(services.database, { property, message }, authorOf(visit));
  if (undoResult.refused === "later edit")
    throw new HttpException(409, "Other rate plan edits followed this one. Undo the later edits first.");
  if (undoResult.refused === "removed")
    throw new HttpException(409, `Rate plan ${undoResult.plan} was removed by its sender after this edit, so the edit can't be undone.`);
  if (undoResult.refused !== undefined)
    throw new HttpException(409, "This edit has already been undone or is no longer in the message log.");
  if (wantsJson(reply.request)) return sendJson(reply, undoResult);
  const keptText =
    undoResult.kept === 0
      ? ""
      : ` Nights not restored: ${formatNumber(undoResult.kept)}. They have newer values, or their category no longer exists.`;
  return seeOther(reply, plansPath(property), `Rate plan ${undoResult.plan} was restored.${keptText}`);
}
