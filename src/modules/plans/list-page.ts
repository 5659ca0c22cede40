import type { StoredPlanEdit } from "../../journal/plan-edits.ts";
import { MEAL_PLAN_CHOICES, PLAN_STATUSES } from "../../records/plan/plan.ts";
import type { ListedPlan } from "../../records/plan/store.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { choiceLabel } from "../../web/parts/field-words.ts";
import { hiddenFields, tokenField } from "../../web/parts/fields.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { planPath, PLANS_PATH, plansPath } from "./paths.ts";
import type { LastMessage } from "./prices.ts";

export type PlanLine = ListedPlan & { pricedNights: number; last: LastMessage | undefined };

type PlanList = { property: { code: string; name: string }; plans: readonly PlanLine[]; edits: readonly StoredPlanEdit[]; token: string };

export function planListPage({ property, plans, edits, token }: PlanList): Page {
  const add = ifAllowed(
    html`<a class="button primary" href="${withQuery(PLANS_PATH, { property: property.code, view: "new" })}">New rate plan</a>`,
  );
  return {
    title: "Rate plans",
    subject: property.name,
    actions: html`<a class="button" href="${withQuery(plansPath(property.code), { format: "json" })}">JSON</a> ${add}`,
    main: html`${plans.length === 0 ? noPlans : columnTable({ label: "Rate plans", narrow: "stacked" }, PLAN_COLUMNS, plans)}
    ${editSection(edits, property.code, token)}`,
  };
}

export const withoutPropertyPage: Page = {
  title: "Rate plans",
  main: html`<p class="empty">
    Rate plans belong to a property. <a href="${path`/property`}">Choose a property</a> and open its Rate plans tab.
  </p>`,
};

const noPlans = html`<div class="empty">
  <p>No rate plans yet. A rate plan is created when a message first uses its code.</p>
  ${ifAllowed(html`<p>If this property accepts only known rate plans, create them here.</p>`)}
</div>`;

const PLAN_COLUMNS: readonly Column<PlanLine>[] = [
  { head: "Name", class: "name", cell: (plan) => html`<a href="${planPath(plan)}">${isolateDirections(plan.name ?? plan.code)}</a>` },
  { head: "Code", class: "name", cell: ({ code }) => html`<code>${code}</code>` },
  { head: "Meal plan", narrow: "label", cell: ({ mealPlan }) => mealPlan && choiceLabel(MEAL_PLAN_CHOICES, mealPlan) },
  { head: "Currency", narrow: "label", cell: ({ currency }) => currency },
  { head: { number: "Nights with prices" }, cell: pricedNightsCell },
  { head: "Prices last set", narrow: "label", class: "nowrap", cell: ({ last }) => last && lastMessageCell(last) },
  { head: "Status", cell: ({ status }) => planBadge(status) },
];

/** Links the number of nights with prices to the rates. */
function pricedNightsCell({ property, code, pricedNights: nights }: PlanLine): Html {
  return html`<a href="${withQuery(path`/rates`, { property, plan: code })}">${formatNumber(nights)}</a>`;
}

export function lastMessageCell({ message, at, sender }: LastMessage): Html {
  return html`<a href="${path`/dev/logs/${message}`}">${relativeMoment(at)}</a
    >${sender === undefined ? emptyHtml : html` from ${isolateDirections(sender)}`}`;
}

export function planBadge(status: string): Html {
  return html`<span class="badge ${status === "active" ? "good" : "warn"}">${choiceLabel(PLAN_STATUSES, status)}</span>`;
}

function editSection(edits: readonly StoredPlanEdit[], property: string, token: string): Html {
  if (edits.length === 0) return emptyHtml;
  const item = ({ message, at, summary, canUndo }: StoredPlanEdit) =>
    html`<li>
      <p><a href="${path`/dev/logs/${message}`}">${relativeMoment(at)}</a> ${isolateDirections(summary)}</p>
      ${canUndo ? ifAllowed(undoForm({ property, message, token })) : emptyHtml}
    </li>`;
  return html`<section aria-labelledby="edits">
    <h2 id="edits">Merged and removed rate plans</h2>
    <p class="hint">
      You can undo a merge or a removal as long as its entry is in the message log. This restores the rate plan and its nights. Nights that
      a later message has set keep their newer values.
    </p>
    <ol class="history">
      ${mapHtml(edits, item)}
    </ol>
  </section>`;
}

function undoForm({ property, message, token }: { property: string; message: number; token: string }): Html {
  return html`<form method="post" action="${plansPath(property)}">
    ${tokenField(token)} ${hiddenFields({ message })}
    <button type="submit" class="small" name="action" value="undo">Undo<span class="visually-hidden"> #${message}</span></button>
  </form>`;
}
