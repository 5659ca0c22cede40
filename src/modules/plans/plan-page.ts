import { MEAL_PLAN_CHOICES, type Plan, PLAN_FIELDS, PLAN_WORDS } from "../../records/plan/plan.ts";
import { currencies } from "../../records/property/choices.ts";
import { toTypedValues } from "../../web/form.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { valueLabel } from "../../web/parts/field-words.ts";
import { choiceField, errorSummary, type FormState, hiddenFields, textField, tokenField } from "../../web/parts/fields.ts";
import { type RecordHistory, historyList } from "../../web/parts/history.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { editParts, fieldGroup, sortByField, recordForm } from "../../web/parts/record-form.ts";
import { factRow } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { RecordEdit } from "../../web/record-edit.ts";
import { lastMessageCell, planBadge } from "./list-page.ts";
import { planPath, plansPath } from "./paths.ts";
import type { PlanPrices } from "./prices.ts";

const FIELD_LABELS = PLAN_WORDS.labels;
const FIELD_ORDER = ["code", ...PLAN_FIELDS];

export type PlanView = { plan: Plan; prices: PlanPrices | undefined; changes: RecordHistory };

export function editPlanPage(view: PlanView, { conflict, ...edit }: RecordEdit<Plan>, token: string): Page {
  const { plan, changes } = view;
  const isRefused = conflict !== undefined || Object.keys(edit.state.faults).length > 0;
  const { version } = edit.record;
  const { state, notice, marks } = editParts({ ...edit, conflict, version, stored: toTypedValues(plan, PLAN_FIELDS), words: PLAN_WORDS });
  const fields = html`${marks} ${hiddenFields({ action: "save" })} ${fieldGroup("Rate plan", planFields(state, fixedCode(plan.code)))}`;
  return {
    ...pageTitle(plan),
    refused: isRefused,
    main: html`${errorSummary(sortByField(state.faults, FIELD_ORDER))} ${notice} ${factsSection(view)}
    ${recordForm({ token, unsaved: isRefused || edit.restored !== undefined, fields, submit: "Save rate plan", back: plansPath(plan.property) })}
    ${actionsSection(plan, token)} ${historySection(plan, changes)}`,
  };
}

export function planPage(view: PlanView): Page {
  const typed = toTypedValues(view.plan, PLAN_FIELDS);
  const fieldFact = (name: (typeof PLAN_FIELDS)[number]) =>
    factRow(FIELD_LABELS[name], valueLabel(name, typed[name]!, PLAN_WORDS) ?? typed[name]);
  return {
    ...pageTitle(view.plan),
    main: html`${factsSection(view, html`${fieldFact("mealPlan")} ${fieldFact("currency")} ${fieldFact("parentNote")}`)}
    ${historySection(view.plan, view.changes)}`,
  };
}

function historySection(plan: Plan, changes: RecordHistory): Html {
  const page = planPath(plan);
  return historyList({ ...changes, all: withQuery(page, { history: "all" }) }, PLAN_WORDS, page);
}

function pageTitle({ property, code, name }: Plan): Pick<Page, "title" | "subject" | "actions"> {
  return {
    title: name ?? `Rate plan ${code}`,
    subject: property,
    actions: html`<a class="button" href="${withQuery(path`/rates`, { property, plan: code })}">Rates</a>
      <a class="button" href="${plansPath(property)}">All rate plans</a>`,
  };
}

function factsSection({ plan: { code, status }, prices }: PlanView, more: Html = emptyHtml): Html {
  return html`<dl class="facts">
    ${factRow("Code", html`<code>${code}</code>`)} ${factRow(FIELD_LABELS.status, planBadge(status))} ${more}
    ${factRow("Nights with prices", `${formatNumber(prices?.nights ?? 0)} from today to the horizon`)}
    ${factRow("Prices last set", prices?.last && lastMessageCell(prices.last))}
  </dl>`;
}

export function newPlanPage(property: string, state: FormState, token: string): Page {
  const isRefused = Object.keys(state.faults).length > 0;
  const code = textField(state, { name: "code", label: "Code", required: true, hint: CODE_HINT, focused: !isRefused });
  const fields = html`${hiddenFields({ action: "create" })} ${fieldGroup("Rate plan", planFields(state, code))}`;
  return {
    title: "New rate plan",
    subject: property,
    refused: isRefused,
    main: html`${errorSummary(sortByField(state.faults, FIELD_ORDER))}
    ${recordForm({ token, unsaved: isRefused, fields, submit: "Create rate plan", back: plansPath(property) })}`,
  };
}

const CODE_HINT = "Identifies the rate plan in messages. Case-sensitive. Cannot be changed later.";

function fixedCode(code: string): Html {
  return textField({ typed: { code }, faults: {} }, { name: "code", label: "Code", required: true, fixed: true });
}

function planFields(state: FormState, code: Html): Html {
  return html`${code}
  ${textField(state, { name: "name", label: FIELD_LABELS.name, hint: "Replaced if a message contains a different name." })}
  ${choiceField(state, { name: "mealPlan", label: FIELD_LABELS.mealPlan, choices: MEAL_PLAN_CHOICES })}
  ${choiceField(state, { name: "currency", label: FIELD_LABELS.currency, choices: currencies() })}
  ${textField(state, {
    name: "parentNote",
    label: FIELD_LABELS.parentNote,
    hint: "How prices are derived from another plan, such as “BAR minus 10%”. A note only; Roomrack doesn’t calculate prices from it.",
    size: "long",
  })}`;
}

function actionsSection(plan: Plan, token: string): Html {
  const retireForm =
    plan.status === "active"
      ? statusForm(token, {
          action: "retire",
          label: "Retire",
          about: "Takes the rate plan off sale. Messages can still set its nights, but cause a warning.",
        })
      : statusForm(token, { action: "restore", label: "Restore", about: "Puts the rate plan back on sale, with its stored nights." });
  return ifAllowed(
    html`<section aria-labelledby="actions">
      <h2 id="actions">Retire, merge or remove</h2>
      ${retireForm}
      <p>Merge a misspelled rate plan into another, or remove it with its nights. Both show a preview first.</p>
      <p class="actions">
        <a class="button" href="${planPath(plan, "merge")}">Merge into another…</a>
        <a class="button" href="${planPath(plan, "remove")}">Remove…</a>
      </p>
    </section>`,
  );
}

function statusForm(token: string, { action, label, about }: { action: string; label: string; about: string }): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <p>${about}</p>
    <p class="actions"><button type="submit" class="plain" name="action" value="${action}">${label}</button></p>
  </form>`;
}
