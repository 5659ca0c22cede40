import { caughtLabel, type ErrorSummary } from "../../../errors/entry.ts";
import type { ErrorPage } from "../../../errors/storage/list-store.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { amount } from "../../../web/parts/amount.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { cursorPager, pageSizeParameter } from "../../../web/parts/list.ts";
import { moment } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { type Gaps, gapsNote } from "./gaps.ts";
import { type ErrorQuery, MAX_EXPORTED, positionText } from "./query.ts";
import { LIST, viewPage } from "./view-page.ts";

export function errorListPage(query: ErrorQuery, found: ErrorPage, gaps: Gaps): Page {
  return viewPage(query, {
    title: "Error log",
    lead: `Errors in the service and in browsers, newest first. CSV and JSON include up to ${amount(MAX_EXPORTED)} matching entries.`,
    viewQuery: {},
    note: gapsNote(gaps),
    otherView: html`<a class="button" href="${withQuery(LIST, { ...query.typed, view: "groups" })}">Groups</a>`,
    content: html`${found.entries.length === 0 ? noEntries(query, found) : entryTable(found.entries)} ${pageSteps(query, found)}`,
  });
}

/** The five columns of the interface specification. `linked`: dates link to the entries' pages. */
export function entryTable(entries: readonly ErrorSummary[], linked: "linked" | "plain" = "linked"): Html {
  return scrollTable(
    { label: "Errors", heads: ["Date", "Class", "Message", "Source", "Caught"], narrow: "stacked" },
    each(entries, (entry) => entryRow(entry, linked)),
  );
}

function entryRow(entry: ErrorSummary, linked: "linked" | "plain"): Html {
  const date = moment(entry.at);
  return html`<tr>
    <td class="nowrap">${linked === "linked" ? html`<a href="${path`/tools/errors/${entry.id}`}">${date}</a>` : date}</td>
    <td class="name wide"><div class="clamp">${entry.class}</div></td>
    <td class="long">${linked === "linked" ? html`<div class="clamp">${isolate(entry.message)}</div>` : isolate(entry.message)}</td>
    <td data-label="Source">${entry.source}</td>
    <td data-label="Caught">${caughtLabel(entry.caught)}</td>
  </tr>`;
}

function noEntries(query: ErrorQuery, { searchedTo }: ErrorPage): Html {
  if (searchedTo !== undefined) return html`<p class="empty">No matches so far.</p>`;
  const isFiltered = query.before !== undefined || Object.values(query.typed).some((value) => value !== "");
  return html`<p class="empty">
    ${isFiltered ? "No entries match these filters." : "No errors yet. To see one, open an address that does not exist."}
  </p>`;
}

function pageSteps(query: ErrorQuery, { next, searchedTo }: ErrorPage): Html {
  const size = pageSizeParameter(query.limit);
  const label = searchedTo === undefined ? "Older" : "Search further back";
  return cursorPager({
    note: searchedTo === undefined ? nothing : html`<p>Searched back to ${moment(searchedTo)}.</p>`,
    first: query.before !== undefined && { label: "Newest", to: withQuery(LIST, { ...query.typed, size }) },
    next: next !== undefined && { label, to: withQuery(LIST, { ...query.typed, size, before: positionText(next) }) },
  });
}
