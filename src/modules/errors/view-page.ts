import { type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { choiceFilter, filterForm, searchFilter, textFilter } from "../../web/parts/filters.ts";
import { path, withQuery } from "../../web/path.ts";
import { ERROR_SOURCES } from "./entry.ts";
import { CAUGHT, FILTER_NAMES, type ErrorQuery } from "./error-query.ts";
import { GROUP_STATES } from "./group.ts";
import type { ErrorPage } from "./list-store.ts";

export const LIST = path`/tools/errors`;

/** `asQuery` tells this view from the list; `other` leads to the other one; `note` stands above the filters. */
type View = { title: string; lead: string; asQuery: Readonly<Record<string, string>>; other: Html; note: Html; content: Html };

/** The error log in one of its views, below the filters that all of them have. */
export function viewPage(query: ErrorQuery, { title, lead, asQuery, other, note, content }: View): Page {
  return {
    title,
    section: "tools",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead,
    actions: html`${other} ${exportLinks({ ...query.typed, ...asQuery })}`,
    main: html`${errorSummary(query.faults)} ${note} ${narrowing(query)} ${content}`,
  };
}

/** The same as data. */
function exportLinks(view: Readonly<Record<string, string>>): Html {
  return html`<a class="button" href="${withQuery(LIST, { ...view, format: "csv" })}">CSV</a>
    <a class="button" href="${withQuery(LIST, { ...view, format: "json" })}">JSON</a>`;
}

/** The filters, which keep the view that they are seen in. */
function narrowing(query: ErrorQuery): Html {
  const fields = html`${query.view === "groups" ? keptInGroups(query) : nothing}
  ${searchFilter(query, { name: "q", label: "Search", example: "in message and class" })}
  ${textFilter(query, { name: "class", label: "Class", example: "exact" })}
  ${choiceFilter(query, { name: "source", label: "Source", choices: ERROR_SOURCES })}
  ${choiceFilter(query, { name: "caught", label: "Caught", choices: CAUGHT })}
  ${textFilter(query, { name: "status", label: "Status", example: "such as 404" })}
  ${query.view === "groups" ? nothing : choiceFilter(query, { name: "state", label: "State", choices: GROUP_STATES })}
  ${query.typed.group === "" ? nothing : textFilter(query, { name: "group", label: "Group", example: "its number" })}
  ${textFilter(query, { name: "from", label: "From", example: "YYYY-MM-DD" })}
  ${textFilter(query, { name: "to", label: "To", example: "YYYY-MM-DD" })}`;
  return filterForm(query, { names: FILTER_NAMES, fields, all: query.view === "groups" ? withQuery(LIST, { view: "groups" }) : LIST });
}

/** The view, and the state, which is chosen above the groups. */
function keptInGroups({ typed }: ErrorQuery): Html {
  return html`<input type="hidden" name="view" value="groups" />${
      typed.state === "" ? nothing : html`<input type="hidden" name="state" value="${typed.state}" />`
    }`;
}

/** Nothing was found, or there is nothing yet. */
export function emptyState(query: ErrorQuery, found: ErrorPage): Html {
  if (found.searchedTo !== undefined) return html`<p class="empty">No entry matches so far.</p>`;
  const narrowed = query.before !== undefined || Object.values(query.typed).some((value) => value !== "");
  return html`<p class="empty">
    ${narrowed ? "No entry matches." : "No error was recorded yet. An unknown address, for example, is recorded here."}
  </p>`;
}
