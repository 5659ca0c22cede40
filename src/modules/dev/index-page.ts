import type { MessageRow } from "../../db/schema.ts";
import { each, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { tokenField } from "../../web/parts/fields.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { path } from "../../web/path.ts";
import { messageTable } from "./log/list-page.ts";
import { RAISERS } from "./raise.ts";

/** What the developer index is made of; `curl` sends a first message. */
export type DevIndex = { endpoint: string; curl: string; recent: readonly MessageRow[]; token: string };

/** Where integrators begin. */
export function devIndexPage({ endpoint, curl, recent, token }: DevIndex): Page {
  return {
    title: "Developers",
    section: "dev",
    lead: "Try messages, see what the channel made of them, and find every one of them again.",
    main: html`<ul class="cards">
        ${forAdmins(consoleCard)}
        <li>
          <h2><a href="${path`/dev/logs`}">Message log</a></h2>
          <p>Every message with its answer, what it changed and why.</p>
        </li>
        <li>
          <h2><a href="${path`/channel`}">Channel</a></h2>
          <p>What the endpoint accepts and answers.</p>
        </li>
      </ul>
      <h2>Send a message</h2>
      <p>Property systems and channel managers post to <code>${endpoint}</code>:</p>
      <p><button type="button" class="small" data-copy="curl">Copy</button></p>
      <pre id="curl" tabindex="0">${curl}</pre>
      <h2>Recent messages</h2>
      ${recent.length === 0 ? html`<p class="empty">No message was received yet.</p>` : messageTable(recent)} ${forAdmins(raiseForm(token))}`,
  };
}

const consoleCard = html`<li>
  <h2><a href="${path`/dev/channel`}">Console</a></h2>
  <p>Pick or paste a message, try it without storing anything, then send it.</p>
</li>`;

function raiseForm(token: string): Html {
  return html`<h2>Raise an error</h2>
    <p>Each of these throws a real error, so that the <a href="${path`/tools/errors`}">error log</a> can be seen at work.</p>
    <form method="post" action="${path`/dev`}">
      ${tokenField(token)}<input type="hidden" name="action" value="raise" />
      <p class="field">
        <label for="f-kind">Kind</label>
        <select id="f-kind" name="kind">
          ${each(Object.entries(RAISERS), ([kind, { about }]) => html`<option value="${kind}">${kind}: ${about}</option>`)}
        </select>
      </p>
      <p class="actions"><button type="submit" class="danger">Raise</button></p>
    </form>`;
}
