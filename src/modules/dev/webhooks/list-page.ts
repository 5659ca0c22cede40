import { type Html, html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { errorSummary, type FormState, tokenField } from "../../../web/parts/fields.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import type { Webhook } from "../../../webhooks/store.ts";
import { webhookFields } from "./form.ts";

type WebhooksView = { webhooks: readonly Webhook[]; state: FormState; token: string };

export function webhooksPage({ webhooks, state, token }: WebhooksView): Page {
  return {
    title: "Webhooks",
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    lead: "Roomrack calls your systems within seconds of a change. Each call contains a cursor; the data is in the change feed.",
    actions: html`<a class="button" href="${path`/dev`}">Developers</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)}
      ${
        webhooks.length === 0
          ? html`<p class="empty">No webhooks yet.</p>`
          : columnTable({ label: "Webhooks", narrow: "stacked" }, WEBHOOK_COLUMNS, webhooks)
      }
      <section>
        <h2>New webhook</h2>
        <form method="post">
          ${tokenField(token)} ${webhookFields(state)}
          <p class="actions"><button type="submit" class="primary" name="action" value="create">Create webhook</button></p>
        </form>
      </section>`,
  };
}

const WEBHOOK_COLUMNS: readonly Column<Webhook>[] = [
  {
    head: "Name",
    class: "name",
    cell: ({ id, name }) => html`<a href="${path`/dev/webhooks/${String(id)}`}">${isolateDirections(name)}</a>`,
  },
  { head: "State", narrow: "label", cell: (webhook) => stateBadge(webhook) },
  { head: "URL", narrow: "label", class: "long", cell: ({ url }) => isolateDirections(url) },
  { head: "Properties", narrow: "label", cell: ({ properties }) => properties?.join(", ") ?? "all" },
  { head: "Sends", narrow: "label", cell: sentText },
  {
    head: "Last delivered",
    narrow: "label",
    class: "nowrap",
    cell: ({ deliveredAt }) => (deliveredAt === undefined ? "never" : relativeMoment(deliveredAt)),
  },
];

export function sentText({ kinds, alerts }: Webhook): string {
  const changes = kinds?.join(", ") ?? "all";
  if (!alerts) return changes;
  return changes === "" ? "alerts" : `${changes}, alerts`;
}

export function webhookState({ disabledAt, failingSince }: Webhook): "enabled" | "failing" | "disabled" {
  if (disabledAt !== undefined) return "disabled";
  return failingSince === undefined ? "enabled" : "failing";
}

export function stateBadge(webhook: Webhook): Html {
  const state = webhookState(webhook);
  return html`<span class="badge ${state === "enabled" ? "good" : "bad"}">${state}</span>`;
}
