import type { PlanEditResult } from "../../journal/plan-edits.ts";
import type { Plan } from "../../records/plan/plan.ts";
import type { Choices } from "../../text.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { choiceField, errorSummary, type FormState, hiddenFields, tokenField } from "../../web/parts/fields.ts";
import { factRow } from "../../web/parts/table.ts";
import { path } from "../../web/path.ts";
import type { MappedCode } from "./mapping-store.ts";
import { planPath } from "./paths.ts";

type NightCounts = Pick<PlanEditResult, "moved" | "dropped">;

/** `into` and `counts` are undefined until a plan is chosen. */
export type MergeView = {
  plan: Plan;
  others: Choices;
  into: string | undefined;
  counts: NightCounts | undefined;
  mapped: readonly MappedCode[];
  state: FormState;
  token: string;
};

export function mergePage({ plan, others, into, counts, mapped, state, token }: MergeView): Page {
  const { property, code } = plan;
  return {
    title: `Merge ${code}`,
    subject: property,
    refused: Object.keys(state.faults).length > 0,
    main: html`${errorSummary(state.faults)}
      <p>
        Each night of ${code} moves to the other rate plan, unless that plan already has values for the same category and night. In that
        case, the other plan keeps its values, and those of ${code} are removed. Finally, ${code} itself is removed.
      </p>
      ${others.length === 0 ? html`<p class="empty">This property has no other rate plan.</p>` : chooseForm(plan, others, state)}
      ${into !== undefined && counts ? confirmMerge({ plan, into, counts, token }, mappingWarning(mapped, code)) : emptyHtml}`,
  };
}

function chooseForm({ property, code }: Plan, others: Choices, state: FormState): Html {
  return html`<form method="get">
    ${hiddenFields({ property, plan: code, view: "merge" })}
    ${choiceField(state, { name: "into", label: "Merge into", choices: others, required: true })}
    <p class="actions"><button type="submit" class="plain">Preview</button></p>
  </form>`;
}

type MergeConfirmation = { plan: Plan; into: string; counts: NightCounts; token: string };

function confirmMerge({ plan, into, counts: { moved, dropped }, token }: MergeConfirmation, warning: Html): Html {
  return html`<section aria-labelledby="preview">
    <h2 id="preview">Preview</h2>
    <dl class="facts">
      ${factRow("Nights to move", `${formatNumber(moved)} (counted per category)`)}
      ${factRow("Nights to remove", `${formatNumber(dropped)} (${into} already has values)`)}
      ${factRow("Rate plan to remove", html`<code>${plan.code}</code>`)}
    </dl>
    ${warning}
    <form method="post" action="${planPath(plan)}">
      ${tokenField(token)} ${hiddenFields({ into })}
      <div class="actions">
        <button type="submit" name="action" value="merge">Merge ${plan.code} into ${into}</button> <a href="${planPath(plan)}">Cancel</a>
      </div>
    </form>
  </section>`;
}

type RemovalView = { plan: Plan; counts: NightCounts; mapped: readonly MappedCode[]; token: string };

export function removalPage({ plan, counts: { dropped }, mapped, token }: RemovalView): Page {
  const { property, code } = plan;
  return {
    title: `Remove ${code}`,
    subject: property,
    main: html`<dl class="facts">
        ${factRow("Rate plan to remove", html`<code>${code}</code>`)}
        ${factRow("Nights to remove", `${formatNumber(dropped)} (counted per category, including past nights)`)}
      </dl>
      <p>A later message with the code ${code} creates it again. To prevent this, set the property to accept only known rate plans.</p>
      ${mappingWarning(mapped, code)}
      <form method="post" action="${planPath(plan)}">
        ${tokenField(token)}
        <div class="actions">
          <button type="submit" class="danger" name="action" value="remove">Remove ${code}</button> <a href="${planPath(plan)}">Cancel</a>
        </div>
      </form>`,
  };
}

function mappingWarning(mapped: readonly MappedCode[], code: string): Html {
  return mapHtml(
    mapped,
    ({ sender, code: own }) =>
      html`<p class="notice warn">
        Connection <a href="${path`/dev/senders/${sender}`}">${sender}</a> maps its code <code>${own}</code> to ${code}. Change the mapping;
        otherwise, its next message will create ${code} again.
      </p>`,
  );
}
