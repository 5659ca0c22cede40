import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ErrorEntry, GroupChange, GroupState } from "../../../errors/entry.ts";
import { changeGroups } from "../../../errors/storage/group-store.ts";
import type { Choices } from "../../../text.ts";
import { actionOf } from "../../../web/any-route.ts";
import { type Faults, type FormResult, readForm, readId, type TypedValues } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { type Html, html, emptyHtml, type Path } from "../../../web/html.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import type { FieldWords } from "../../../web/parts/field-words.ts";
import { errorSummary, faultAttributes, faultText, selectElement, tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { serverZone } from "../../../web/parts/moment.ts";
import type { ErrorsDeps } from "../needs.ts";

export const GROUP_ACTIONS = ["resolve", "reopen", "mute"] as const;
export type GroupAction = (typeof GROUP_ACTIONS)[number];

const MUTE_DURATIONS = [
  ["day", "1 day", { days: 1 }],
  ["week", "1 week", { weeks: 1 }],
  ["quarter", "3 months", { months: 3 }],
] as const;

const HOURLY_LIMIT = "louder";
const MAX_ERRORS_PER_HOUR = 1_000_000;

const muteSchema = z
  .object({
    for: z.enum([...MUTE_DURATIONS.map(([value]) => value), HOURLY_LIMIT], { error: "Choose 1 day, 1 week, 3 months or an hourly limit" }),
    above: z.string().optional(),
  })
  .transform(({ for: choice, above = "" }, context): MuteChoice => {
    if (choice !== HOURLY_LIMIT) return { duration: MUTE_DURATIONS.find(([value]) => value === choice)! };
    const perHour = readId(above) ?? MAX_ERRORS_PER_HOUR + 1;
    if (perHour <= MAX_ERRORS_PER_HOUR) return { above: perHour };
    context.addIssue({ code: "custom", path: ["above"], message: "Enter a whole number from 1 to 1,000,000" });
    return z.NEVER;
  });

type MuteChoice = { duration: (typeof MUTE_DURATIONS)[number] } | { above: number };

export function readGroupChange(action: GroupAction, body: unknown, now: number): FormResult<GroupChange> {
  if (action === "mute")
    return readForm(
      muteSchema.transform((mute) => muteChange(mute, now)),
      body,
    );
  const change = action === "resolve" ? { state: "resolved" as const, label: "resolved" } : { state: "open" as const, label: "open" };
  return { ok: true, value: change, typed: {} };
}

function muteChange(mute: MuteChoice, now: number): GroupChange {
  if ("above" in mute)
    return {
      state: "muted",
      label: `muted until more than ${formatCount(mute.above, "entry", "entries")} per hour`,
      until: undefined,
      above: mute.above,
    };
  const [, label, duration] = mute.duration;
  const until = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(serverZone).add(duration).epochMilliseconds;
  return { state: "muted", label: `muted for ${label}`, until, above: undefined };
}

/** The submitted values, to show again with the invalid fields (`faults`) or the reason why nothing changed (`refusal`). */
export type ActionState = { typed: TypedValues; faults: Faults; refusal: string | undefined; selected: readonly number[] };

export type ActionForm = ActionState & { token: string };

export const EMPTY_STATE: ActionState = { typed: {}, faults: {}, refusal: undefined, selected: [] };

/** Returns the status for showing the form again: 422 for invalid input, 409 if there was nothing to change. */
export function refusalStatus({ faults, refusal }: ActionForm): { refused?: true; status?: number } {
  if (refusal !== undefined) return { refused: true, status: 409 };
  return Object.keys(faults).length > 0 ? { refused: true } : {};
}

export function actionErrors({ faults, refusal }: ActionForm): Html {
  return html`${errorSummary(faults)} ${refusal === undefined ? emptyHtml : html`<p class="notice bad" role="alert">${refusal}</p>`}`;
}

type FormParts = { legend: string; state?: GroupState; selectLink?: Html };

export const ACTION_FORM_ID = "act";

/** Shows the form for actions on groups. The mute button comes first, because pressing Enter in a field activates the first button. */
export function actionForm(form: ActionForm, { legend, state, selectLink = emptyHtml }: FormParts): Html {
  return ifAllowed(
    html`<form method="post" id="${ACTION_FORM_ID}">
      ${tokenField(form.token)}
      <fieldset class="bar">
        <legend>${legend}</legend>
        ${muteFields(form)} ${actionButton("mute", state === "muted" ? "Change mute" : "Mute")}
        ${state === "resolved" ? emptyHtml : actionButton("resolve", "Resolve")}
        ${state === "open" ? emptyHtml : actionButton("reopen", "Reopen")} ${selectLink} ${faultText("for", form.faults.for)}
        ${faultText("above", form.faults.above)}
      </fieldset>
    </form>`,
  );
}

function actionButton(action: string, label: string): Html {
  return html`<button type="submit" class="small" name="action" value="${action}">${label}</button>`;
}

const MUTE_CHOICES: Choices = [
  ...MUTE_DURATIONS.map(([value, label]) => [value, `for ${label}`] as const),
  [HOURLY_LIMIT, "until more than"],
];

export const ACTION_WORDS: FieldWords = {
  labels: { group: "Group", for: "Mute", above: "Entries per hour" },
  choices: { for: () => MUTE_CHOICES },
};

/** Shows the fields for a mute. The style sheet hides the hourly limit unless its option is selected. */
function muteFields({ typed, faults }: ActionForm): Html {
  return html`<label for="f-for">Mute</label>
    ${selectElement("for", { value: typed.for ?? "", choices: MUTE_CHOICES, fault: faults.for })}
    <span class="above">
      <label for="f-above" class="visually-hidden">Entries per hour</label>
      <input
        id="f-above"
        name="above"
        type="text"
        inputmode="numeric"
        class="short"
        value="${typed.above ?? ""}"
        ${faultAttributes("above", faults.above)}
      />
      entries per hour
    </span>`;
}

export type ActionOutcome = { done: string } | { refused: ActionState } | undefined;

type GroupActionDeps = Pick<ErrorsDeps, "database" | "clock">;

export function changeListedGroups(services: GroupActionDeps, request: FastifyRequest): Promise<ActionOutcome> {
  return runAction(services, request, { ids: selectedIds(request.body), ifNone: "Select at least one group." });
}

export function changeEntryGroup(services: GroupActionDeps, request: FastifyRequest, { group }: ErrorEntry): Promise<ActionOutcome> {
  return runAction(services, request, { ids: group === undefined ? [] : [group], ifNone: "This entry has no group yet." });
}

/** Sends the outcome as JSON or as a redirect to `to`. Returns undefined if the outcome needs a page. */
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

type ActionTarget = { ids: readonly number[]; ifNone: string };

async function runAction(
  { database, clock }: GroupActionDeps,
  request: FastifyRequest,
  { ids, ifNone }: ActionTarget,
): Promise<ActionOutcome> {
  const action = GROUP_ACTIONS.find((known) => known === actionOf(request));
  if (action === undefined) return undefined;
  const at = clock.now();
  const groupChange = readGroupChange(action, request.body, at);
  const { typed } = groupChange;
  if (!groupChange.ok) return { refused: { typed, faults: groupChange.faults, refusal: undefined, selected: ids } };
  const changedGroups = await changeGroups(database, ids, { change: groupChange.value, by: { ...request.by, at } });
  return changedGroups === 0
    ? { refused: { typed, faults: {}, refusal: ifNone, selected: ids } }
    : { done: changeMessage(changedGroups, groupChange.value) };
}

function changeMessage(changed: number, { label }: GroupChange): string {
  return `${formatCount(changed, "group")} ${changed === 1 ? "is" : "are"} now ${label}.`;
}

function selectedIds(body: unknown): number[] {
  const { group = [] } = (body ?? {}) as { group?: unknown };
  const ids = [group].flat().map((value) => (typeof value === "string" ? readId(value) : undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}
