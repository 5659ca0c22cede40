import type { MessageRow } from "../../db/schema.ts";
import { each, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { tokenField } from "../../web/parts/fields.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { path } from "../../web/path.ts";
import { messageTable } from "./log/list-page.ts";
import { RAISERS } from "./raise.ts";

export type DevIndex = { endpoint: string; curl: string; recent: readonly MessageRow[]; token: string };

export function devIndexPage({ endpoint, curl, recent, token }: DevIndex): Page {
  return {
    title: "Developers",
    section: "dev",
    lead: "Try messages, check the responses and search the message log.",
    main: html`<ul class="cards">
        ${forAdmins(consoleCard)}
        <li>
          <h2><a href="${path`/dev/logs`}">Message log</a></h2>
          <p>Every message with its response and the changes it made.</p>
        </li>
        <li>
          <h2><a href="${path`/channel`}">Channel</a></h2>
          <p>Endpoint, credentials and supported messages.</p>
        </li>
      </ul>
      <h2>Send a message</h2>
      <p>Property systems and channel managers post to <code>${endpoint}</code>:</p>
      <p><button type="button" class="small" data-copy="curl">Copy</button></p>
      <pre id="curl" tabindex="0">${curl}</pre>
      <h2>Recent messages</h2>
      ${recent.length === 0 ? html`<p class="empty">No messages yet.</p>` : messageTable(recent)} ${forAdmins(raiseForm(token))}`,
  };
}

const consoleCard = html`<li>
  <h2><a href="${path`/dev/channel`}">Console</a></h2>
  <p>Choose or paste a message, check it in a dry run, then send it.</p>
</li>`;

function raiseForm(token: string): Html {
  return html`<h2>Raise a test error</h2>
    <p>Throws a real error so that you can see it in the <a href="${path`/tools/errors`}">error log</a>.</p>
    <form method="post" action="${path`/dev`}">
      ${tokenField(token)}<input type="hidden" name="action" value="raise" />
      <p class="field">
        <label for="f-kind">Error</label>
        <select id="f-kind" name="kind">
          ${each(Object.entries(RAISERS), ([kind, { about }]) => html`<option value="${kind}">${kind}: ${about}</option>`)}
        </select>
      </p>
      <p class="actions"><button type="submit" class="danger">Raise error</button></p>
    </form>`;
}
