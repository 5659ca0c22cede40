import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { errorSummary, type FormState, selectBox, textField, tokenField } from "../../web/parts/fields.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { momentHtml, relativeMoment } from "../../web/parts/moment.ts";
import { path } from "../../web/path.ts";
import type { Alert } from "./alert-store.ts";
import { isMuted } from "./block.ts";
import { MUTE_DURATIONS } from "./form.ts";
import { type AlertRule, describeRule, RULE_KINDS } from "./rules.ts";

type AlertsView = {
  open: readonly Alert[];
  closed: readonly Alert[];
  rules: readonly AlertRule[];
  state: FormState;
  token: string;
  now: number;
};

export function alertsPage(view: AlertsView): Page {
  const { state, rules } = view;
  return {
    title: "Alerts",
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    lead: "Rules are checked every minute. An alert is sent when it opens, then daily until it closes. It closes when its condition no longer applies.",
    actions: html`<a class="button" href="${path`/tools`}">All tools</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)}
      <section>
        <h2>Open</h2>
        ${view.open.length === 0 ? html`<p class="empty">No open alerts.</p>` : openTable(view)}
      </section>
      <section>
        <h2>Rules</h2>
        ${rules.length === 0 ? html`<p class="empty">No rules yet.</p>` : ruleTable(view)} ${ifAllowed(ruleForm(view))}
      </section>
      ${
        view.closed.length === 0
          ? emptyHtml
          : html`<section>
              <h2>Recently closed</h2>
              ${closedTable(view)}
            </section>`
      }`,
  };
}

function ruleText(rules: readonly AlertRule[], { rule: id }: Alert): Html | undefined {
  const rule = rules.find((one) => one.id === id);
  return rule && isolateDirections(describeRule(rule));
}

function openTable({ open, rules, token, now }: AlertsView): Html {
  const columns: readonly Column<Alert>[] = [
    { head: "Alert", cell: ({ text }) => isolateDirections(text) },
    { head: "Rule", narrow: "label", cell: (alert) => ruleText(rules, alert) },
    { head: "Opened", narrow: "label", class: "nowrap", cell: (alert) => relativeMoment(alert.opened_at) },
    {
      head: "Muted until",
      narrow: "label",
      class: "nowrap",
      cell: (alert) => (isMuted(alert, now) ? momentHtml(alert.muted_until!) : undefined),
    },
    { head: { action: "Mute" }, cell: (alert) => (isMuted(alert, now) ? unmuteForm(alert, token) : muteForm(alert, token)) },
  ];
  return columnTable({ label: "Open alerts", narrow: "stacked" }, columns, open);
}

function muteForm({ id }: Alert, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <select name="hours" aria-label="Mute alert ${id} for">
      ${mapHtml(MUTE_DURATIONS, ([hours, label]) => html`<option value="${hours}">${label}</option>`)}
    </select>
    <button type="submit" class="small" name="action" value="mute">Mute <span class="visually-hidden">alert ${id}</span></button>
  </form>`;
}

function unmuteForm({ id }: Alert, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <button type="submit" class="small" name="action" value="unmute">Unmute <span class="visually-hidden">alert ${id}</span></button>
  </form>`;
}

function ruleTable({ rules, token }: AlertsView): Html {
  const columns: readonly Column<AlertRule>[] = [
    { head: "Rule", cell: (rule) => isolateDirections(describeRule(rule)) },
    { head: "Created by", narrow: "label", cell: ({ createdBy }) => isolateDirections(createdBy) },
    { head: { action: "Delete" }, cell: (rule) => deleteForm(rule, token) },
  ];
  return columnTable({ label: "Rules", narrow: "stacked" }, columns, rules);
}

function deleteForm({ id }: AlertRule, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <button type="submit" class="small danger" name="action" value="delete">Delete <span class="visually-hidden">rule ${id}</span></button>
  </form>`;
}

function closedTable({ closed, rules }: AlertsView): Html {
  const columns: readonly Column<Alert>[] = [
    { head: "Alert", cell: ({ text }) => isolateDirections(text) },
    { head: "Rule", narrow: "label", cell: (alert) => ruleText(rules, alert) },
    { head: "Opened", narrow: "label", class: "nowrap", cell: (alert) => relativeMoment(alert.opened_at) },
    { head: "Closed", narrow: "label", class: "nowrap", cell: (alert) => relativeMoment(alert.closed_at ?? undefined) },
  ];
  return columnTable({ label: "Recently closed alerts", narrow: "stacked" }, columns, closed);
}

function ruleForm({ state, token }: AlertsView): Html {
  const kinds = Object.entries(RULE_KINDS);
  const choices = kinds.map(([kind, { label }]) => [kind, label] as const);
  return html`<form method="post">
    <h3>New rule</h3>
    ${tokenField(token)} ${selectBox("kind", "Watch", { value: state.typed["kind"] ?? "silent", choices, fault: state.faults["kind"] })}
    <details>
      <summary>Rule descriptions</summary>
      <dl>
        ${mapHtml(
          kinds,
          ([, { label, about }]) =>
            html`<dt>${label}</dt>
              <dd>${about}</dd>`,
        )}
      </dl>
    </details>
    ${textField(state, { name: "limit", label: "Limit", type: "number", size: "short", hint: "Hours, percent or nights. Leave blank for rules without a limit." })}
    ${textField(state, { name: "property", label: "Property", hint: "Property code. Leave blank for all properties." })}
    ${textField(state, { name: "group", label: "Group", hint: "Group of properties. Leave blank for all properties." })}
    <p class="actions"><button type="submit" class="primary" name="action" value="create">Create rule</button></p>
  </form>`;
}
