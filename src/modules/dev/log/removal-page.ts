import type { KeptEntry } from "../../../db/audit.ts";
import type { Removal, RemovalCount } from "../../../journal/removal.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import { errorSummary, textField, tickField, tokenField } from "../../../web/parts/fields.ts";
import { forAdmins } from "../../../web/parts/for-admins.ts";
import { localMoment, moment } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { RemovalQuery } from "./removal-query.ts";

/** What the page is made of; `count` is undefined until it was asked what would be removed. */
export type RemovalView = {
  query: RemovalQuery;
  count: (RemovalCount & { exact: boolean }) | undefined;
  past: readonly KeptEntry[];
  token: string;
};

const REMOVAL = withQuery(path`/dev/logs`, { view: "removal" });

/** Removes messages from the log: first shown how many, then confirmed. */
export function removalPage({ query, count, past, token }: RemovalView): Page {
  const { faults, removal } = query;
  return {
    title: "Remove messages",
    section: "dev",
    refused: Object.keys(faults).length > 0,
    lead: "Removes messages from the log before their time, with what their senders wrote. What they set stays.",
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a>`,
    main: html`${errorSummary(faults)} ${previewForm(query)} ${removal && count ? confirmation(query, { removal, count, token }) : nothing}
    ${pastRemovals(past)}`,
  };
}

function previewForm(query: RemovalQuery): Html {
  return html`<form method="get" action="${path`/dev/logs`}">
    <input type="hidden" name="view" value="removal" />
    ${textField(query, { name: "property", label: "Property", hint: "Its code; empty for messages of all, and of none." })}
    ${textField(query, { name: "days", label: "Older than, in days", required: true, type: "number", size: "short", hint: "0 for messages of any age." })}
    <p class="actions"><button type="submit" class="plain">Show what would be removed</button></p>
  </form>`;
}

type Shown = { removal: Removal; count: RemovalCount & { exact: boolean }; token: string };

function confirmation(query: RemovalQuery, { removal, count, token }: Shown): Html {
  const { gone, emptied, exact } = count;
  const messages = counted(gone + emptied, "message");
  const whose = `${removal.property === undefined ? "" : ` of ${removal.property}`} received before ${localMoment(removal.before)}`;
  if (gone + emptied === 0 && exact) return html`<p class="empty">There is no message${whose} whose body is still kept.</p>`;
  return html`<section class="panel">
    <h2>${exact ? "" : "At least "}${messages}${whose}</h2>
    <ul>
      <li>${counted(gone, "message")} neither set nor cleared a night, and would go altogether.</li>
      <li>
        ${counted(emptied, "message")} set or cleared nights. Request, answer, headers and address would go; time, sender and summary would
        stay, so that a night still tells when and by whom it was set, and the nights as they were at a moment in the past are still known.
      </li>
    </ul>
    ${forAdmins(confirmForm(query, { removal, messages: exact ? messages : "the messages", token }))}
  </section>`;
}

function confirmForm(query: RemovalQuery, { removal, messages, token }: { removal: Removal; messages: string; token: string }): Html {
  return html`<form method="post" action="${REMOVAL}">
    ${tokenField(token)}<input type="hidden" name="action" value="remove" />
    <input type="hidden" name="property" value="${removal.property ?? ""}" />
    <input type="hidden" name="before" value="${removal.before}" />
    ${tickField(query, { name: "sure", label: "They may go; nothing brings them back" })}
    <p class="actions"><button type="submit" class="danger">Remove ${messages}</button></p>
  </form>`;
}

function pastRemovals(past: readonly KeptEntry[]): Html {
  if (past.length === 0) return nothing;
  const row = ({ at, actor, changes }: KeptEntry) =>
    html`<tr>
      <td class="nowrap">${moment(at)}</td>
      <td>${actor}</td>
      <td>${changes.map(({ field, to }) => `${field} ${to}`).join(", ")}</td>
    </tr>`;
  return html`<h2>Removed so far</h2>
    ${scrollTable({ label: "Removed so far", heads: ["When", "Who", "What"], narrow: "stacked" }, each(past, row))}`;
}
