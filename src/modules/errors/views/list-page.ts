import { caughtWord, type ErrorSummary } from "../../../errors/entry.ts";
import type { ErrorPage } from "../../../errors/storage/list-store.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { amount } from "../../../web/parts/amount.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { toldPageSize } from "../../../web/parts/list.ts";
import { moment } from "../../../web/parts/moment.ts";
import { steps } from "../../../web/parts/steps.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { type Gaps, gapsNote } from "./cut-note.ts";
import { type ErrorQuery, EXPORTED, positionText } from "./query.ts";
import { emptyState, LIST, viewPage } from "./view-page.ts";

/** The error log, newest first. */
export function errorListPage(query: ErrorQuery, found: ErrorPage, gaps: Gaps): Page {
  return viewPage(query, {
    title: "Error log",
    lead: `What went wrong in the service and what browsers reported, newest first. CSV and JSON have the newest ${amount(EXPORTED)} of those found.`,
    asQuery: {},
    note: gapsNote(gaps),
    other: html`<a class="button" href="${withQuery(LIST, { ...query.typed, view: "groups" })}">In groups</a>`,
    content: html`${found.entries.length === 0 ? emptyState(query, found) : entryTable(found.entries)} ${stepsOf(query, found)}`,
  });
}

/** The five columns of the log; the date of each entry links to its page unless it is the page. */
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
    <td data-label="Caught">${caughtWord(entry.caught)}</td>
  </tr>`;
}

function stepsOf(query: ErrorQuery, found: ErrorPage): Html {
  const size = toldPageSize(query.limit);
  const label = found.searchedTo === undefined ? "Older" : "Search further back";
  return steps({
    note: found.searchedTo === undefined ? nothing : html`<p>Searched back to ${moment(found.searchedTo)}.</p>`,
    first: query.before !== undefined && { label: "Newest", to: withQuery(LIST, { ...query.typed, size }) },
    next: found.next !== undefined && { label, to: withQuery(LIST, { ...query.typed, size, before: positionText(found.next) }) },
  });
}
