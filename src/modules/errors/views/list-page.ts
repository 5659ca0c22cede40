import { caughtLabel, ERROR_SOURCES, type ErrorSummary, GROUP_STATES } from "../../../errors/entry.ts";
import type { ErrorPage } from "../../../errors/storage/list-store.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { errorSummary, hiddenFields } from "../../../web/parts/fields.ts";
import { filterForm } from "../../../web/parts/filters.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { cursorPager, exportLinks, pageSizeParameter } from "../../../web/parts/list.ts";
import { momentHtml } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { type LogGaps, gapsNote } from "./gaps.ts";
import { CAUGHT_VALUES, type ErrorQuery, MAX_EXPORTED, positionText } from "./query.ts";

export function errorListPage(query: ErrorQuery, found: ErrorPage, gaps: LogGaps): Page {
  return viewPage(query, {
    title: "Error log",
    lead: `Errors in the service and in browsers, newest first. CSV and JSON include up to ${formatNumber(MAX_EXPORTED)} matching entries.`,
    viewQuery: {},
    note: gapsNote(gaps),
    otherView: html`<a class="button" href="${withQuery(LIST_PATH, { ...query.typed, view: "groups" })}">Groups</a>`,
    content: html`${found.entries.length === 0 ? noEntries(query, found) : entryTable(found.entries)} ${pageSteps(query, found)}`,
  });
}

/** Has the five columns that the interface specification requires. Dates link to the entries' pages, unless the table is `plain`. */
export function entryTable(entries: readonly ErrorSummary[], linked: "linked" | "plain" = "linked"): Html {
  return scrollTable(
    { label: "Errors", heads: ["Date", "Class", "Message", "Source", "Caught"], narrow: "stacked" },
    mapHtml(entries, (entry) => entryRow(entry, linked)),
  );
}

function entryRow(entry: ErrorSummary, linked: "linked" | "plain"): Html {
  const date = momentHtml(entry.at);
  return html`<tr>
    <td class="nowrap">${linked === "linked" ? html`<a href="${path`/tools/errors/${entry.id}`}">${date}</a>` : date}</td>
    <td class="name wide"><div class="clamp">${entry.class}</div></td>
    <td class="long">
      ${linked === "linked" ? html`<div class="clamp">${isolateDirections(entry.message)}</div>` : isolateDirections(entry.message)}
    </td>
    <td data-label="Source">${entry.source}</td>
    <td data-label="Caught">${caughtLabel(entry.caught)}</td>
  </tr>`;
}

function noEntries(query: ErrorQuery, { searchedTo }: ErrorPage): Html {
  if (searchedTo !== undefined) return html`<p class="empty">No matches so far.</p>`;
  const isFiltered = query.before !== undefined || Object.values(query.typed).some((value) => value !== "");
  return html`<p class="empty">
    ${isFiltered ? "No entries match these filters." : "No errors yet. To see one, open a URL that does not exist."}
  </p>`;
}

function pageSteps(query: ErrorQuery, { next, searchedTo }: ErrorPage): Html {
  const size = pageSizeParameter(query.limit);
  const label = searchedTo === undefined ? "Older" : "Search further back";
  return cursorPager({
    note: searchedTo === undefined ? emptyHtml : html`<p>Searched back to ${momentHtml(searchedTo)}.</p>`,
    first: query.before !== undefined && { label: "Newest", to: withQuery(LIST_PATH, { ...query.typed, size }) },
    next: next !== undefined && { label, to: withQuery(LIST_PATH, { ...query.typed, size, before: positionText(next) }) },
  });
}

export const LIST_PATH = path`/tools/errors`;

type ListView = { title: string; lead: string; viewQuery: Readonly<Record<string, string>>; otherView: Html; note: Html; content: Html };

export function viewPage(query: ErrorQuery, { title, lead, viewQuery, otherView, note, content }: ListView): Page {
  return {
    title,
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead,
    actions: html`${otherView} ${exportLinks((format) => withQuery(LIST_PATH, { ...query.typed, ...viewQuery, format }))}`,
    main: html`${errorSummary(query.faults)} ${note} ${filtersSection(query)} ${content}`,
  };
}

function filtersSection(query: ErrorQuery): Html {
  const isGroupView = query.view === "groups";
  const fields = [
    { name: "q", label: "Search", example: "message or class" },
    { name: "class", label: "Class", example: "exact name" },
    { name: "source", label: "Source", choices: ERROR_SOURCES },
    { name: "caught", label: "Caught", choices: CAUGHT_VALUES },
    { name: "status", label: "Status", example: "such as 404" },
    ...(isGroupView ? [] : [{ name: "state", label: "State", choices: GROUP_STATES }]),
    ...(query.typed.group === "" ? [] : [{ name: "group", label: "Group", example: "group number" }]),
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
  ];
  const size = pageSizeParameter(query.limit);
  if (!isGroupView) return filterForm(query, { filters: fields, kept: hiddenFields({ size }), all: LIST_PATH });
  const sort = query.order === "last" ? "" : query.order;
  const keptFields = hiddenFields({ view: "groups", state: query.typed.state, sort, size });
  return filterForm(query, { filters: fields, kept: keptFields, all: withQuery(LIST_PATH, { view: "groups" }) });
}
