import type { Removal, RemovalCount } from "../../../journal/removal.ts";
import type { KeptEntry } from "../../../records/audit.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { counted } from "../../../web/parts/amount.ts";
import { errorSummary, textField, tickField, tokenField } from "../../../web/parts/fields.ts";
import { forAdmins } from "../../../web/parts/for-admins.ts";
import { localMoment, moment } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { RemovalQuery } from "./removal-query.ts";

/** `count` is undefined until the user asks for a preview. */
export type RemovalView = {
  query: RemovalQuery;
  count: (RemovalCount & { exact: boolean }) | undefined;
  past: readonly KeptEntry[];
  token: string;
};

const REMOVAL = withQuery(path`/dev/logs`, { view: "removal" });

export function removalPage({ query, count, past, token }: RemovalView): Page {
  const { faults, removal } = query;
  return {
    title: "Delete messages",
    section: "dev",
    refused: Object.keys(faults).length > 0,
    lead: "Delete messages and their bodies before they expire. Rates and availability are kept.",
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a>`,
    main: html`${errorSummary(faults)} ${previewForm(query)} ${removal && count ? confirmation(query, { removal, count, token }) : nothing}
    ${pastRemovals(past)}`,
  };
}

function previewForm(query: RemovalQuery): Html {
  return html`<form method="get" action="${path`/dev/logs`}">
    <input type="hidden" name="view" value="removal" />
    ${textField(query, { name: "property", label: "Property", hint: "Property code. Leave blank for all." })}
    ${textField(query, { name: "days", label: "Older than (days)", required: true, type: "number", size: "short", hint: "Enter 0 for messages of any age." })}
    <p class="actions"><button type="submit" class="plain">Preview</button></p>
  </form>`;
}

type Preview = { removal: Removal; count: RemovalCount & { exact: boolean }; token: string };

function confirmation(query: RemovalQuery, { removal, count, token }: Preview): Html {
  const { gone, emptied, exact } = count;
  const messages = counted(gone + emptied, "message");
  const scope = `${removal.property === undefined ? "" : ` for ${removal.property}`} received before ${localMoment(removal.before)}`;
  if (gone + emptied === 0 && exact) return html`<p class="empty">No messages${scope} with a body that is still kept.</p>`;
  return html`<section class="panel">
    <h2>${exact ? "" : "At least "}${messages}${scope}</h2>
    <ul>
      <li>${counted(gone, "message")} changed no nights: deleted completely.</li>
      <li>
        ${counted(emptied, "message")} changed nights: request, response, headers and IP address are deleted. Time, sender and summary are
        kept for the history of these nights.
      </li>
    </ul>
    ${forAdmins(confirmForm(query, { removal, messages: exact ? messages : "messages", token }))}
  </section>`;
}

function confirmForm(query: RemovalQuery, { removal, messages, token }: { removal: Removal; messages: string; token: string }): Html {
  return html`<form method="post" action="${REMOVAL}">
    ${tokenField(token)}<input type="hidden" name="action" value="remove" />
    <input type="hidden" name="property" value="${removal.property ?? ""}" />
    <input type="hidden" name="before" value="${removal.before}" />
    ${tickField(query, { name: "sure", label: "Delete permanently; this cannot be undone" })}
    <p class="actions"><button type="submit" class="danger">Delete ${messages}</button></p>
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
  return html`<h2>Past deletions</h2>
    ${scrollTable({ label: "Past deletions", heads: ["Time", "User", "Details"], narrow: "stacked" }, each(past, row))}`;
}
