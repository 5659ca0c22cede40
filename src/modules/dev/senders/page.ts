import type { MessageRow } from "../../../db/schema.ts";
import type { StoredAuditEntry } from "../../../records/audit.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { errorSummary, type FormState } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { momentHtml, relativeMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { SenderChecklist, PropertyProgress } from "../../channel/senders/checklist-store.ts";
import type { SenderCode } from "../../channel/senders/code-store.ts";
import type { SenderHealth } from "../../channel/senders/health-store.ts";
import type { RefusalCause, UnknownCodeSummary } from "../../channel/senders/refusal-store.ts";
import type { Sender } from "../../channel/senders/store.ts";
import { causesTable } from "../log/causes.ts";
import { messageTable } from "../log/list-page.ts";
import { yesterdayRange } from "../log/overview.ts";
import { codeTable, mapForm, unknownCodeTable } from "./codes.ts";
import { hourChart, messageLink, formatPercent } from "./health.ts";
import { type SenderInstructions, instructionsSection } from "./instructions.ts";
import { stateBadge } from "./list-page.ts";
import { settingsSection } from "./settings.ts";

export type SenderView = {
  sender: Sender;
  health: SenderHealth | undefined;
  checklist: SenderChecklist;
  causes: readonly RefusalCause[];
  unknown: readonly UnknownCodeSummary[];
  codes: readonly SenderCode[];
  messages: readonly MessageRow[];
  history: readonly StoredAuditEntry[];
  instructions: SenderInstructions;
  state: FormState;
  token: string;
  now: number;
};

export function senderPage(view: SenderView): Page {
  const { sender, state, token, now } = view;
  return {
    title: sender.name,
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    actions: html`<a class="button" href="${path`/dev/senders`}">All connections</a>
      <a class="button" href="${withQuery(path`/dev/logs`, { sender: sender.name })}">Messages</a>
      <a class="button" href="${withQuery(path`/dev/logs`, { sender: sender.name, ...yesterdayRange(now) })}">Yesterday’s messages</a>
      ${ifAllowed(html`<a class="button" href="${withQuery(path`/dev/channel`, { sender: sender.name })}">Test in console</a>`)}
      <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)} ${factsSection(view)} ${checklistSection(view.checklist)}
      ${instructionsSection(view.instructions)} ${causesSection(view.causes)}
      <section>
        <h2>Unknown codes</h2>
        ${unknownCodeTable(view.unknown, { sender: sender.name, hotels: view.instructions.hotels, token })}
      </section>
      <section>
        <h2>Code mapping</h2>
        <p class="hint">The sender uses its own codes; we translate them to ours. Codes without a mapping are used unchanged.</p>
        ${codeTable(view.codes, token)} ${ifAllowed(mapForm(state, token))}
      </section>
      <section>
        <h2>Latest messages</h2>
        <p class="hint">New messages appear here as they arrive. Without JavaScript, reload the page.</p>
        <ul
          class="tail"
          data-tail="${path`/dev/senders/${sender.name}/tail`}"
          data-entry="${path`/dev/logs/`}"
          aria-live="polite"
          hidden
        ></ul>
        <div>${view.messages.length === 0 ? html`<p class="empty">No messages yet.</p>` : messageTable(view.messages)}</div>
      </section>
      ${ifAllowed(settingsSection({ sender, state, token, now }))} ${historySection(view.history)}`,
  };
}

function factsSection({ sender, health, now }: SenderView): Html {
  return html`<dl class="facts">
    <dt>State</dt>
    <dd>${stateBadge(sender, now)}</dd>
    <dt>Properties</dt>
    <dd>${sender.hotels?.join(", ") ?? "all"}</dd>
    <dt>Last sign-in</dt>
    <dd>${sender.usedAt === undefined ? "never" : relativeMoment(sender.usedAt)}</dd>
    <dt>Last accepted</dt>
    <dd>${messageLink(health?.lastAccepted) ?? "none"}</dd>
    <dt>Last refused</dt>
    <dd>${messageLink(health?.lastRefused) ?? "none"} ${isolateDirections(health?.lastRefused?.summary ?? "")}</dd>
    <dt>Last 24 hours</dt>
    <dd>
      ${health?.acceptedShare === undefined ? "no messages" : html`${hourChart(health.hours)} ${formatPercent(health.acceptedShare)} accepted`}
    </dd>
    <dt>Secret</dt>
    <dd>${secretText(sender, now)}</dd>
  </dl>`;
}

function secretText({ expiresAt, oldUntil, createdAt }: Sender, now: number): Html {
  const old = oldUntil !== undefined && oldUntil > now ? html`; the previous one is accepted until ${momentHtml(oldUntil)}` : emptyHtml;
  return html`${expiresAt === undefined ? "does not expire" : html`expires ${momentHtml(expiresAt)}`}${old}; created
  ${relativeMoment(createdAt)}`;
}

type ChecklistStep = { done: boolean; text: Html };

function checklistSection(checklist: SenderChecklist): Html {
  const steps = checklistSteps(checklist);
  const completedSteps = steps.filter((step) => step.done);
  const openSteps = steps.filter((step) => !step.done);
  if (openSteps.length === 0)
    return html`<details class="panel">
      <summary>First connection complete</summary>
      ${stepList(completedSteps)}
    </details>`;
  return html`<section class="panel">
    <h2>First connection: ${completedSteps.length} of ${steps.length} steps</h2>
    ${stepList(openSteps)}
    ${
      completedSteps.length === 0
        ? emptyHtml
        : html`<details>
            <summary>${formatCount(completedSteps.length, "step")} done</summary>
            ${stepList(completedSteps)}
          </details>`
    }
  </section>`;
}

function stepList(steps: readonly ChecklistStep[]): Html {
  return html`<ol class="checklist">
    ${mapHtml(
      steps,
      (step) => html`<li><span class="badge ${step.done ? "good" : "muted"}">${step.done ? "done" : "open"}</span> ${step.text}</li>`,
    )}
  </ol>`;
}

export function checklistSteps({ signedInAt, firstAccepted, properties, more }: SenderChecklist): ChecklistStep[] {
  const first = firstAccepted && html`<a href="${path`/dev/logs/${firstAccepted.message}`}">message #${firstAccepted.message}</a>`;
  return [
    { done: signedInAt !== undefined, text: html`Signed in` },
    { done: first !== undefined, text: html`First message accepted${first ? html`: ${first}` : emptyHtml}` },
    ...properties.flatMap(propertySteps),
    ...(more > 0 ? [{ done: true, text: html`${formatCount(more, "more property", "more properties")} not shown` }] : []),
  ];
}

function propertySteps(progress: PropertyProgress): ChecklistStep[] {
  const { property, hasCategories, categoriesWithoutCounts, hasPlans, plansWithoutPrices, completeSetAt } = progress;
  const missingText = (codes: readonly string[]) => (codes.length === 0 ? emptyHtml : html`; missing: ${codes.join(", ")}`);
  return [
    {
      done: hasCategories && categoriesWithoutCounts.length === 0,
      text: html`${property}: every category has counts for the next 365 nights${missingText(categoriesWithoutCounts)}`,
    },
    {
      done: hasPlans && plansWithoutPrices.length === 0,
      text: html`${property}: every rate plan has prices${missingText(plansWithoutPrices)}`,
    },
    {
      done: completeSetAt !== undefined,
      text: html`${property}: complete set received${completeSetAt === undefined ? emptyHtml : html` ${relativeMoment(completeSetAt)}`}`,
    },
  ];
}

function causesSection(causes: readonly RefusalCause[]): Html {
  return html`<section>
    <h2>Refusals by cause</h2>
    ${causes.length === 0 ? html`<p class="empty">No messages were refused in the last 30 days.</p>` : causesTable(causes)}
  </section>`;
}

function historySection(history: readonly StoredAuditEntry[]): Html {
  if (history.length === 0) return emptyHtml;
  return html`<section>
    <h2>History</h2>
    <ul>
      ${mapHtml(
        history,
        ({ at, actor, action, changes }) =>
          html`<li>
            ${relativeMoment(at)} ${isolateDirections(actor)}:
            ${action}${mapHtml(changes, ({ field, from, to }) => html`; ${field}: ${from === "" ? to : `${from} to ${to || "none"}`}`)}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Shows a new secret, which is stored only as a hash. */
export function secretPage(view: SenderInstructions & { secret: string }, what: string): Page {
  const { sender, secret } = view;
  return {
    title: sender.name,
    wide: true,
    actions: html`<a class="button" href="${path`/dev/senders/${sender.name}`}">Go to the connection</a>`,
    main: html`<p class="notice good" role="status">${what} Copy the secret now: it won't be shown again.</p>
      <pre id="copy-text" tabindex="0">${secret}</pre>
      <p class="actions"><button type="button" data-copy="copy-text">Copy secret</button></p>
      ${instructionsSection(view)}`,
  };
}
