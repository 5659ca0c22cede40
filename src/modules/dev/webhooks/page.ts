import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { errorSummary, type FormState, selectBox, tickField, tokenField } from "../../../web/parts/fields.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { momentHtml, relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import type { Delivery } from "../../../webhooks/delivery-store.ts";
import type { Webhook } from "../../../webhooks/store.ts";
import { webhookFields } from "./form.ts";
import { sentText, stateBadge } from "./list-page.ts";

/** Choices for how long the previous secret is still used for signing, in hours. */
export const OVERLAP_CHOICES = [
  ["24", "keeps signing for 24 hours"],
  ["168", "keeps signing for 7 days"],
  ["0", "stops signing immediately"],
] as const;

/** `older` is the ID before which the next page of deliveries starts. */
type WebhookView = {
  webhook: Webhook;
  deliveries: readonly Delivery[];
  older: number | undefined;
  state: FormState;
  token: string;
  now: number;
};

export function webhookPage(view: WebhookView): Page {
  const { webhook, state, token } = view;
  return {
    title: webhook.name,
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    actions: html`<a class="button" href="${path`/dev/webhooks`}">All webhooks</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)} ${factsSection(view)}
      <form method="post" class="actions">
        ${tokenField(token)} ${actionButton("test", "Send test event")}
        ${webhook.disabledAt === undefined ? actionButton("disable", "Disable") : actionButton("enable", "Enable")}
      </form>
      <section>
        <h2>Deliveries</h2>
        <p class="hint">Kept for 7 days.</p>
        ${deliveryTable(view)}
      </section>
      <section>
        <h2>Settings</h2>
        ${webhookPart(view, { title: "URL and filters", fields: ["name", "url", "properties", "kind-inventory"], content: editForm(view) })}
        ${webhookPart(view, { title: "New secret", fields: [], content: rotateForm(token) })}
        ${webhookPart(view, { title: "Delete", fields: ["sure"], content: deleteForm(view) })}
      </section>`,
  };
}

function actionButton(action: string, label: string): Html {
  return html`<button type="submit" class="plain" name="action" value="${action}">${label}</button>`;
}

function factsSection({ webhook, now }: WebhookView): Html {
  const { url, properties, failingSince, disabledAt, disabledReason, oldUntil } = webhook;
  const entries: (readonly [string, Html | string] | undefined)[] = [
    ["State", stateBadge(webhook)],
    disabledAt === undefined ? undefined : ["Disabled", html`${relativeMoment(disabledAt)}. ${disabledReason ?? ""}`],
    failingSince === undefined ? undefined : ["Failing since", relativeMoment(failingSince)],
    ["URL", isolateDirections(url)],
    ["Properties", properties?.join(", ") ?? "all"],
    ["Sends", sentText(webhook)],
    ["Created", html`${relativeMoment(webhook.createdAt)} by ${isolateDirections(webhook.createdBy)}`],
    oldUntil === undefined || oldUntil <= now ? undefined : ["Previous secret", html`also used for signing until ${momentHtml(oldUntil)}`],
  ];
  return html`<dl class="facts">
    ${mapHtml(
      entries.filter((entry) => entry !== undefined),
      ([label, value]) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function deliveryTable({ deliveries, older, token }: WebhookView): Html {
  if (deliveries.length === 0) return html`<p class="empty">No deliveries yet.</p>`;
  const columns: readonly Column<Delivery>[] = [
    { head: "Created", class: "nowrap", cell: (one) => relativeMoment(one.created_at) },
    { head: "Event", narrow: "label", cell: ({ type }) => type },
    { head: "State", narrow: "label", cell: ({ state }) => html`<span class="badge ${STATE_BADGES[state]}">${state}</span>` },
    { head: { number: "Attempts" }, cell: ({ attempts }) => attempts },
    { head: { number: "Status" }, cell: ({ status }) => status ?? undefined },
    { head: { number: "Duration (ms)" }, cell: ({ duration }) => duration ?? undefined },
    {
      head: "Response",
      narrow: "label",
      class: "long",
      cell: ({ answer }) => (answer ? html`<div class="clamp">${isolateDirections(answer)}</div>` : undefined),
    },
    {
      head: "Next attempt",
      narrow: "label",
      class: "nowrap",
      cell: (one) => (one.next_at === null ? undefined : relativeMoment(one.next_at)),
    },
    { head: { action: "Resend" }, cell: (one) => resendForm(one, token) },
  ];
  return html`${columnTable({ label: "Deliveries", narrow: "stacked" }, columns, deliveries)}
  ${older === undefined ? emptyHtml : html`<p><a href="?before=${older}">Older deliveries</a></p>`}`;
}

const STATE_BADGES = { pending: "", delivered: "good", failed: "bad" } as const;

function resendForm({ id }: Delivery, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="delivery" value="${id}" />
    <button type="submit" class="small" name="action" value="again">Resend <span class="visually-hidden">delivery ${id}</span></button>
  </form>`;
}

type WebhookPart = { title: string; fields: readonly string[]; content: Html };

function webhookPart({ state }: WebhookView, { title, fields, content }: WebhookPart): Html {
  const isRefused = fields.some((name) => state.faults[name] !== undefined);
  return html`<details class="panel" ${isRefused ? html`open` : emptyHtml}>
    <summary>${title}</summary>
    ${content}
  </details>`;
}

function editForm({ state, token }: WebhookView): Html {
  return html`<form method="post">
    ${tokenField(token)} ${webhookFields(state)}
    <p class="actions">${actionButton("edit", "Save")}</p>
  </form>`;
}

function rotateForm(token: string): Html {
  return html`<form method="post">
    ${tokenField(token)} ${selectBox("overlap", "The current secret", { value: "24", choices: OVERLAP_CHOICES })}
    <p class="actions">${actionButton("rotate", "Create new secret")}</p>
  </form>`;
}

function deleteForm({ state, token }: WebhookView): Html {
  return html`<form method="post">
    ${tokenField(token)} ${tickField(state, { name: "sure", label: "Delete this webhook and its deliveries" })}
    <p class="actions"><button type="submit" class="danger" name="action" value="delete">Delete webhook</button></p>
  </form>`;
}

export function webhookSecretPage({ id, name, secret, what }: { id: number; name: string; secret: string; what: string }): Page {
  return {
    title: "Webhook secret",
    main: html`<p class="notice good" role="status">${what} Copy the secret now: it won't be shown again.</p>
      <pre id="copy-text" tabindex="0">${secret}</pre>
      <p class="actions">
        <button type="button" data-copy="copy-text">Copy secret</button>
        <a class="button" href="${path`/dev/webhooks/${String(id)}`}">${isolateDirections(name)}</a>
      </p>
      <p>
        Verify each call with a Standard Webhooks library.
        <a href="${path`/dev/docs/integration/webhooks`}">Webhooks in the documentation</a>
      </p>`,
  };
}
