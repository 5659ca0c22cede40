import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorEntry } from "../../../errors/entry.ts";
import type { GroupChange } from "../../../errors/storage/group.ts";
import { changeGroups } from "../../../errors/storage/state-store.ts";
import { actionOf } from "../../../web/any-route.ts";
import { readId } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import type { Path } from "../../../web/html.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import type { ErrorsNeeds } from "../needs.ts";
import { type ActionForm, type ActionState, EMPTY_STATE, GROUP_ACTIONS, readGroupChange } from "./group-form.ts";

/** Undefined if the request contains no action. */
export type ActionOutcome = { done: string } | { refused: ActionState } | undefined;

type Needed = Pick<ErrorsNeeds, "database" | "clock">;

export function changeListedGroups(services: Needed, request: FastifyRequest): Promise<ActionOutcome> {
  return act(services, request, { ids: selectedIds(request.body), ifNone: "Select at least one group." });
}

export function changeEntryGroup(services: Needed, request: FastifyRequest, { group }: ErrorEntry): Promise<ActionOutcome> {
  return act(services, request, { ids: group === undefined ? [] : [group], ifNone: "This entry has no group yet." });
}

/** Sends the outcome as JSON or as a redirect to `to`. Returns undefined if a page has to show it. */
export function sendOutcome(reply: FastifyReply, outcome: ActionOutcome, to: Path): FastifyReply | undefined {
  if (outcome === undefined) return undefined;
  if ("done" in outcome) return wantsJson(reply.request) ? sendJson(reply, outcome) : seeOther(reply, to, outcome.done);
  const { faults, refusal } = outcome.refused;
  if (!wantsJson(reply.request)) return undefined;
  return refusal === undefined ? sendFaults(reply, faults) : sendJson(reply.code(409), { refused: refusal });
}

export async function formAfter(reply: FastifyReply, outcome: ActionOutcome): Promise<ActionForm> {
  return { ...(outcome && "refused" in outcome ? outcome.refused : EMPTY_STATE), token: await formToken(reply) };
}

type Target = { ids: readonly number[]; ifNone: string };

async function act({ database, clock }: Needed, request: FastifyRequest, { ids, ifNone }: Target): Promise<ActionOutcome> {
  const action = GROUP_ACTIONS.find((known) => known === actionOf(request));
  if (action === undefined) return undefined;
  const at = clock.now();
  const read = readGroupChange(action, request.body, at);
  const { typed } = read;
  if (!read.ok) return { refused: { typed, faults: read.faults, refusal: undefined, selected: ids } };
  const changed = await changeGroups(database, ids, { change: read.value, actor: request.actor, at });
  return changed === 0 ? { refused: { typed, faults: {}, refusal: ifNone, selected: ids } } : { done: flashOf(changed, read.value) };
}

function flashOf(changed: number, { label }: GroupChange): string {
  return `${counted(changed, "group")} ${changed === 1 ? "is" : "are"} now ${label}.`;
}

function selectedIds(body: unknown): number[] {
  const { group = [] } = (body ?? {}) as { group?: unknown };
  const ids = [group].flat().map((value) => (typeof value === "string" ? readId(value) : undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}
