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
import type { Services } from "../../module.ts";
import { type ActionForm, type ActionState, FRESH } from "./action-form.ts";
import { GROUP_ACTIONS, readGroupChange } from "./group-form.ts";

/** What came of it: what was done, or the form as it is shown again; undefined where nothing was asked. */
export type Acted = { done: string } | { refused: ActionState } | undefined;

/** The groups that are meant; `none` says that there is nothing to act on. */
type Target = { ids: readonly number[]; none: string };

/** Does what is asked with the groups that a form of the list names. */
export function actOnGroups(services: Needed, request: FastifyRequest): Promise<Acted> {
  return act(services, request, { ids: idsOf(request.body), none: "Choose at least one group." });
}

/** Does what is asked with the group of an entry. */
export function actOnEntry(services: Needed, request: FastifyRequest, { group }: ErrorEntry): Promise<Acted> {
  return act(services, request, { ids: group === undefined ? [] : [group], none: "This entry is in no group yet." });
}

/** Answers what is not told by the page itself; `to` is the page that tells what was done. */
export function answerActed(reply: FastifyReply, acted: Acted, to: Path): FastifyReply | undefined {
  if (acted === undefined) return undefined;
  if ("done" in acted) return wantsJson(reply.request) ? sendJson(reply, acted) : seeOther(reply, to, acted.done);
  const { faults, refusal } = acted.refused;
  if (!wantsJson(reply.request)) return undefined;
  return refusal === undefined ? sendFaults(reply, faults) : sendJson(reply.code(409), { refused: refusal });
}

/** The form as it is shown after it. */
export async function formAfter(reply: FastifyReply, acted: Acted): Promise<ActionForm> {
  return { ...(acted && "refused" in acted ? acted.refused : FRESH), token: await formToken(reply) };
}

type Needed = Pick<Services, "database" | "clock">;

async function act({ database, clock }: Needed, request: FastifyRequest, { ids, none }: Target): Promise<Acted> {
  const action = GROUP_ACTIONS.find((one) => one === actionOf(request));
  if (action === undefined) return undefined;
  const at = clock.now();
  const read = readGroupChange(action, request.body, at);
  const { typed } = read;
  if (!read.ok) return { refused: { typed, faults: read.faults, refusal: undefined, chosen: ids } };
  const changed = await changeGroups(database, ids, { change: read.value, actor: request.actor, at });
  return changed === 0 ? { refused: { typed, faults: {}, refusal: none, chosen: ids } } : { done: flashOf(changed, read.value) };
}

function flashOf(changed: number, { words }: GroupChange): string {
  return `${counted(changed, "group")} ${changed === 1 ? "is" : "are"} now ${words}.`;
}

/** The groups that were ticked; what is no number is none. */
function idsOf(body: unknown): number[] {
  const { group = [] } = (body ?? {}) as { group?: unknown };
  const ids = [group].flat().map((one) => (typeof one === "string" ? readId(one) : undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}
