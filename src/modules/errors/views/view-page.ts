import { ERROR_SOURCES } from "../../../errors/entry.ts";
import { GROUP_STATES } from "../../../errors/storage/group.ts";
import type { ErrorPage } from "../../../errors/storage/list-store.ts";
import { type Html, html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { hiddenFields } from "../../../web/parts/field.ts";
import { errorSummary } from "../../../web/parts/fields.ts";
import { filterForm } from "../../../web/parts/filters.ts";
import { exportLinks, toldPageSize } from "../../../web/parts/list.ts";
import { path, withQuery } from "../../../web/path.ts";
import { CAUGHT, type ErrorQuery } from "./query.ts";

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
    actions: html`${other} ${exportLinks((format) => withQuery(LIST, { ...query.typed, ...asQuery, format }))}`,
    main: html`${errorSummary(query.faults)} ${note} ${narrowing(query)} ${content}`,
  };
}

/** The filters, which keep the view that they are seen in. */
function narrowing(query: ErrorQuery): Html {
  const inGroups = query.view === "groups";
  const filters = [
    { name: "q", label: "Search", example: "in message and class" },
    { name: "class", label: "Class", example: "exact" },
    { name: "source", label: "Source", choices: ERROR_SOURCES },
    { name: "caught", label: "Caught", choices: CAUGHT },
    { name: "status", label: "Status", example: "such as 404" },
    ...(inGroups ? [] : [{ name: "state", label: "State", choices: GROUP_STATES }]),
    ...(query.typed.group === "" ? [] : [{ name: "group", label: "Group", example: "its number" }]),
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
  ];
  const size = toldPageSize(query.limit);
  if (!inGroups) return filterForm(query, { filters, kept: hiddenFields({ size }), all: LIST });
  const sort = query.order === "last" ? "" : query.order;
  const kept = hiddenFields({ view: "groups", state: query.typed.state, sort, size });
  return filterForm(query, { filters, kept, all: withQuery(LIST, { view: "groups" }) });
}

/** Nothing was found, or there is nothing yet. */
export function emptyState(query: ErrorQuery, found: ErrorPage): Html {
  if (found.searchedTo !== undefined) return html`<p class="empty">No entry matches so far.</p>`;
  const narrowed = query.before !== undefined || Object.values(query.typed).some((value) => value !== "");
  return html`<p class="empty">
    ${narrowed ? "No entry matches." : "No error was recorded yet. An unknown address, for example, is recorded here."}
  </p>`;
}
