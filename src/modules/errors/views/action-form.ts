import type { GroupState } from "../../../errors/storage/group.ts";
import type { Faults, Typed } from "../../../web/form.ts";
import { type Html, html, nothing } from "../../../web/html.ts";
import type { FieldWords } from "../../../web/parts/field-words.ts";
import { type Choices, faultMarks, faultText, select } from "../../../web/parts/field.ts";
import { errorSummary, tokenField } from "../../../web/parts/fields.ts";
import { forAdmins } from "../../../web/parts/for-admins.ts";
import { LOUDER, MUTES } from "./group-form.ts";

/** What was chosen and typed in the form that changes states, what is wrong with it, or why nothing was done. */
export type ActionState = { typed: Typed; faults: Faults; refusal: string | undefined; chosen: readonly number[] };

/** The form as it is shown. */
export type ActionForm = ActionState & { token: string };

/** The form as it is at first. */
export const FRESH: ActionState = { typed: {}, faults: {}, refusal: undefined, chosen: [] };

/** How a page answers with the form: 422 to what cannot be read, 409 where there was nothing to do it with. */
export function refusalOf({ faults, refusal }: ActionForm): { refused?: true; status?: number } {
  if (refusal !== undefined) return { refused: true, status: 409 };
  return Object.keys(faults).length > 0 ? { refused: true } : {};
}

/** Why nothing was done; nothing where all is well. */
export function actionFault({ faults, refusal }: ActionForm): Html {
  return html`${errorSummary(faults)} ${refusal === undefined ? nothing : html`<p class="notice bad" role="alert">${refusal}</p>`}`;
}

/** `state` of the one group that it is for; without, every action is offered. `choose` leads to more or less that is chosen. */
type ActionParts = { lead: string; state?: GroupState; choose?: Html };

/** The `id` of the form, for what is chosen outside of it. */
export const ACTION_FORM = "act";

/** Muting comes first: the first button of a form is the one that Enter presses in its fields, which are about a mute. */
export function actionForm(form: ActionForm, { lead, state, choose = nothing }: ActionParts): Html {
  return forAdmins(
    html`<form method="post" id="${ACTION_FORM}">
      ${tokenField(form.token)}
      <fieldset class="bar">
        <legend>${lead}</legend>
        ${muteFields(form)} ${button("mute", state === "muted" ? "Mute anew" : "Mute")}
        ${state === "resolved" ? nothing : button("resolve", "Resolve")} ${state === "open" ? nothing : button("reopen", "Reopen")}
        ${choose} ${faultText("for", form.faults.for)} ${faultText("above", form.faults.above)}
      </fieldset>
    </form>`,
  );
}

function button(action: string, label: string): Html {
  return html`<button type="submit" class="small" name="action" value="${action}">${label}</button>`;
}

const CHOICES: Choices = [...MUTES.map(([value, words]) => [value, `for ${words}`] as const), [LOUDER, "until more than"]];

/** What people call the fields of the form. */
export const ACTION_WORDS: FieldWords = {
  labels: { group: "Group", for: "Mute", above: "More than how many in an hour" },
  choices: { for: CHOICES },
};

/** How many an hour is asked only where that ends the mute, as far as the style sheet can tell. */
function muteFields({ typed, faults }: ActionForm): Html {
  return html`<label for="f-for">Mute</label>
    ${select("for", { value: typed.for ?? "", choices: CHOICES, fault: faults.for })}
    <span class="above">
      <label for="f-above" class="visually-hidden">More than how many in an hour</label>
      <input
        id="f-above"
        name="above"
        type="text"
        inputmode="numeric"
        class="short"
        value="${typed.above ?? ""}"
        ${faultMarks("above", faults.above)}
      />
      an hour
    </span>`;
}
