import type { FastifyReply, FastifyRequest } from "fastify";
import { type FormResult, readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { Services } from "../../module.ts";
import type { ErrorEntry } from "../entry.ts";
import type { GroupChange } from "../storage/group.ts";
import { changeGroups } from "../storage/state-store.ts";
import type { ActionForm } from "./action-form.ts";
import { GROUP_ACTIONS, readGroupChange } from "./group-form.ts";
import { LIST } from "./view-page.ts";

type Needed = Pick<Services, "database" | "clock">;
type Acting = { request: FastifyRequest; reply: FastifyReply; action: string | undefined };

/** The form as it is shown again where nothing was done; undefined where nothing was asked. */
type Acted = "answered" | ActionForm | undefined;

/** Does what is asked with the groups that a form of the list names. */
export async function actOnGroups(services: Needed, acting: Acting): Promise<Acted> {
  const { request, reply } = acting;
  return act(services, acting, {
    ids: idsOf(request.body),
    none: "Choose at least one group.",
    answer: (flash) => seeOther(reply, withQuery(LIST, readTyped(request.query)), flash),
  });
}

/** Does what is asked with the group of an entry. */
export async function actOnEntry(services: Needed, { entry, ...acting }: Acting & { entry: ErrorEntry }): Promise<Acted> {
  const to = path`/tools/errors/${entry.id}`;
  const ids = entry.group === undefined ? [] : [entry.group];
  return act(services, acting, { ids, none: "This entry is in no group yet.", answer: (flash) => seeOther(acting.reply, to, flash) });
}

/** `none` says that there is nothing to act on. */
type Target = { ids: readonly number[]; none: string; answer(flash: string): FastifyReply };

async function act({ database, clock }: Needed, { request, reply, action }: Acting, target: Target): Promise<Acted> {
  const known = GROUP_ACTIONS.find((one) => one === action);
  if (known === undefined) return undefined;
  const at = clock.now();
  const read = readGroupChange(known, request.body, at);
  if (!read.ok) return refuse(request, reply, { read, ids: target.ids });
  const changed = await changeGroups(database, target.ids, { change: read.value, actor: request.actor, at });
  if (changed === 0) return refuse(request, reply, { read, ids: target.ids, refusal: target.none });
  const flash = flashOf(changed, read.value);
  if (wantsJson(request)) sendJson(reply, { done: flash });
  else target.answer(flash);
  return "answered";
}

function flashOf(changed: number, { words }: GroupChange): string {
  return `${counted(changed, "group")} now ${changed === 1 ? "is" : "are"} ${words}.`;
}

type Refused = { read: FormResult<GroupChange>; ids: readonly number[]; refusal?: string };

async function refuse(request: FastifyRequest, reply: FastifyReply, { read, ids, refusal }: Refused): Promise<Acted> {
  const faults = read.ok ? {} : read.faults;
  if (wantsJson(request)) {
    if (refusal === undefined) sendFaults(reply, faults);
    else sendJson(reply.code(409), { refused: refusal });
    return "answered";
  }
  return { token: await formToken(reply), typed: read.typed, faults, refusal, chosen: ids };
}

/** The groups that were ticked; what is no number is none. */
function idsOf(body: unknown): number[] {
  const { group = [] } = (body ?? {}) as { group?: unknown };
  const ids = [group].flat().map((one) => (typeof one === "string" ? readId(one) : undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}
