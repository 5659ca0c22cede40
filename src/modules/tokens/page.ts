import type { ApiToken } from "../../access/tokens.ts";
import { SCOPES } from "../../web/guard/user.ts";
import { mapHtml, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { errorSummary, type FormState, textField, tickField, tokenField } from "../../web/parts/fields.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { momentHtml, relativeMoment } from "../../web/parts/moment.ts";
import { path } from "../../web/path.ts";
import { scopeField, SCOPE_LABELS } from "./form.ts";

type TokensView = { tokens: readonly ApiToken[]; state: FormState; now: number; token: string };

export function tokensPage({ tokens, state, now, token }: TokensView): Page {
  return {
    title: "API tokens",
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    lead: "Programs send a token as “Authorization: Bearer …” to any URL that returns JSON or CSV.",
    actions: html`<a class="button" href="${path`/tools`}">All tools</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)} ${tokenTable(tokens, now, token)} ${createForm(state, token)}`,
  };
}

function tokenTable(tokens: readonly ApiToken[], now: number, token: string): Html {
  if (tokens.length === 0) return html`<p class="empty">No tokens yet.</p>`;
  const columns: readonly Column<ApiToken>[] = [
    { head: "Name", cell: ({ name }) => isolateDirections(name) },
    { head: "Starts with", narrow: "label", cell: ({ prefix }) => html`<code>${prefix}</code>` },
    { head: "Scopes", narrow: "label", cell: ({ scopes }) => scopes.join(", ") },
    { head: "Properties", narrow: "label", cell: ({ properties }) => properties?.join(", ") ?? "all" },
    {
      head: "Created",
      narrow: "label",
      cell: ({ createdAt, createdBy }) => html`${relativeMoment(createdAt)} by ${isolateDirections(createdBy)}`,
    },
    { head: "Last used", narrow: "label", cell: ({ usedAt }) => (usedAt === undefined ? "never" : relativeMoment(usedAt)) },
    { head: "State", narrow: "label", cell: (one) => stateText(one, now) },
    { head: { action: "Revoke" }, cell: (one) => (tokenState(one, now) === "revoked" ? undefined : revokeForm(one, token)) },
  ];
  return columnTable({ label: "API tokens", narrow: "stacked" }, columns, tokens);
}

type TokenState = "active" | "expired" | "revoked";

function tokenState({ revokedAt, expiresAt }: ApiToken, now: number): TokenState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}

function stateText(token: ApiToken, now: number): Html {
  const state = tokenState(token, now);
  const { expiresAt, revokedAt } = token;
  if (state === "revoked") return html`revoked ${momentHtml(revokedAt)}`;
  if (expiresAt === undefined) return html`active, no expiry`;
  return html`${state === "expired" ? "expired" : "active, expires"} ${momentHtml(expiresAt)}`;
}

function revokeForm({ id, name }: ApiToken, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <button type="submit" class="small danger" name="action" value="revoke">Revoke <span class="visually-hidden">${name}</span></button>
  </form>`;
}

function createForm(state: FormState, token: string): Html {
  return html`<section>
    <h2>New token</h2>
    <form method="post">
      ${tokenField(token)}
      ${textField(state, { name: "name", label: "Name", required: true, hint: "The program that uses it, such as “revenue report”." })}
      <fieldset>
        <legend>Scopes</legend>
        ${mapHtml(SCOPES, (scope) => tickField(state, { name: scopeField(scope), label: scope, hint: SCOPE_LABELS[scope] }))}
      </fieldset>
      ${textField(state, { name: "properties", label: "Properties", hint: "Property codes, separated by commas. Leave blank for all." })}
      ${textField(state, { name: "days", label: "Valid for (days)", type: "number", size: "short", hint: "Leave blank for no expiry." })}
      <p class="actions"><button type="submit" class="primary" name="action" value="create">Create token</button></p>
    </form>
  </section>`;
}

export function createdPage(name: string, secret: string): Page {
  return {
    title: "Token created",
    main: html`<p class="notice good" role="status">Token ${isolateDirections(name)} was created. Copy it now: it won't be shown again.</p>
      <pre id="copy-text" tabindex="0">${secret}</pre>
      <p class="actions">
        <button type="button" data-copy="copy-text">Copy token</button> <a class="button" href="${path`/tools/tokens`}">All tokens</a>
      </p>
      <h2>Try it</h2>
      <pre tabindex="0">curl -H "Authorization: Bearer ${secret}" "$ROOMRACK/inventories?property=CODE&format=json"</pre>`,
  };
}

export function tokenJson(token: ApiToken, now: number) {
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  const { id, name, prefix, scopes, properties = null, createdBy, createdAt, expiresAt, usedAt, revokedAt } = token;
  return {
    ...{ id, name, prefix, scopes, properties, state: tokenState(token, now), createdBy },
    ...{ createdAt: time(createdAt), expiresAt: time(expiresAt), usedAt: time(usedAt), revokedAt: time(revokedAt) },
  };
}
