import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { choiceFilter, filterForm, searchFilter, textFilter } from "../../web/parts/filters.ts";
import { isolate } from "../../web/parts/isolate.ts";
import { toldPageSize } from "../../web/parts/list.ts";
import { moment } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import { caughtWord, ERROR_SOURCES, type ErrorSummary } from "./entry.ts";
import { CAUGHT, FILTER_NAMES, type ListQuery } from "./list-query.ts";
import type { ErrorPage } from "./list-store.ts";

const LIST = path`/tools/errors`;

/** The error log, newest first. */
export function errorListPage(query: ListQuery, found: ErrorPage): Page {
  return {
    title: "Errors",
    section: "tools",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead: "What went wrong in the service and what browsers reported, newest first.",
    actions: html`<a class="button" href="${withQuery(LIST, { ...query.typed, view: "groups" })}">In groups</a>
      ${exportLinks(query.typed)}`,
    main: html`${errorSummary(query.faults)} ${narrowing(query)}
    ${found.entries.length === 0 ? emptyState(query, found) : entryTable(found.entries)} ${steps(query, found)}`,
  };
}

/** The same as data. */
export function exportLinks(view: Readonly<Record<string, string>>): Html {
  return html`<a class="button" href="${withQuery(LIST, { ...view, format: "csv" })}">CSV</a>
    <a class="button" href="${withQuery(LIST, { ...view, format: "json" })}">JSON</a>`;
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

/** The filters, which keep the view that they are seen in. */
export function narrowing(query: ListQuery): Html {
  const inGroups = html`<input type="hidden" name="view" value="groups" />`;
  const fields = html`${query.view === "groups" ? inGroups : nothing}
  ${searchFilter(query, { name: "q", label: "Search", example: "in message and class" })}
  ${textFilter(query, { name: "class", label: "Class", example: "exact" })}
  ${choiceFilter(query, { name: "source", label: "Source", choices: ERROR_SOURCES })}
  ${choiceFilter(query, { name: "caught", label: "Caught", choices: CAUGHT })}
  ${textFilter(query, { name: "status", label: "Status", example: "such as 404" })}
  ${textFilter(query, { name: "from", label: "From", example: "YYYY-MM-DD" })}
  ${textFilter(query, { name: "to", label: "To", example: "YYYY-MM-DD" })}`;
  return filterForm(query, { names: FILTER_NAMES, fields, all: query.view === "groups" ? withQuery(LIST, { view: "groups" }) : LIST });
}

/** Nothing was found, or there is nothing yet. */
export function emptyState(query: ListQuery, found: ErrorPage): Html {
  if (found.searchedTo !== undefined) return html`<p class="empty">No entry matches so far.</p>`;
  const narrowed = query.before !== undefined || Object.values(query.typed).some((value) => value !== "");
  return html`<p class="empty">
    ${narrowed ? "No entry matches." : "No error was recorded yet. An unknown address, for example, is recorded here."}
  </p>`;
}

/** Pages are found by the entry they follow, never counted, so that the last costs what the first does. */
function steps(query: ListQuery, found: ErrorPage): Html {
  const size = toldPageSize(query.limit);
  const newest = withQuery(LIST, { ...query.typed, size });
  const older = withQuery(LIST, { ...query.typed, size, before: found.next });
  const label = found.searchedTo === undefined ? "Older" : "Search further back";
  return html`<nav class="pager" aria-label="Pages">
    ${found.searchedTo === undefined ? nothing : html`<p>Searched back to ${moment(found.searchedTo)}.</p>`}
    <ul>
      ${query.before === undefined ? nothing : html`<li><a href="${newest}">Newest</a></li>`}
      ${found.next === undefined ? nothing : html`<li><a href="${older}" rel="next">${label}</a></li>`}
    </ul>
  </nav>`;
}
