import { ERROR_SOURCES } from "../../../errors/entry.ts";
import { GROUP_STATES } from "../../../errors/storage/group.ts";
import { type Html, html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { errorSummary, hiddenFields } from "../../../web/parts/fields.ts";
import { filterForm } from "../../../web/parts/filters.ts";
import { exportLinks, pageSizeParameter } from "../../../web/parts/list.ts";
import { path, withQuery } from "../../../web/path.ts";
import { CAUGHT, type ErrorQuery } from "./query.ts";

export const LIST = path`/tools/errors`;

/** `viewQuery` are the query parameters that select this view; `otherView` links to the other one. */
type View = { title: string; lead: string; viewQuery: Readonly<Record<string, string>>; otherView: Html; note: Html; content: Html };

export function viewPage(query: ErrorQuery, { title, lead, viewQuery, otherView, note, content }: View): Page {
  return {
    title,
    section: "tools",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead,
    actions: html`${otherView} ${exportLinks((format) => withQuery(LIST, { ...query.typed, ...viewQuery, format }))}`,
    main: html`${errorSummary(query.faults)} ${note} ${filters(query)} ${content}`,
  };
}

function filters(query: ErrorQuery): Html {
  const inGroups = query.view === "groups";
  const fields = [
    { name: "q", label: "Search", example: "message or class" },
    { name: "class", label: "Class", example: "exact name" },
    { name: "source", label: "Source", choices: ERROR_SOURCES },
    { name: "caught", label: "Caught", choices: CAUGHT },
    { name: "status", label: "Status", example: "such as 404" },
    ...(inGroups ? [] : [{ name: "state", label: "State", choices: GROUP_STATES }]),
    ...(query.typed.group === "" ? [] : [{ name: "group", label: "Group", example: "group number" }]),
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
  ];
  const size = pageSizeParameter(query.limit);
  if (!inGroups) return filterForm(query, { filters: fields, kept: hiddenFields({ size }), all: LIST });
  const sort = query.order === "last" ? "" : query.order;
  const kept = hiddenFields({ view: "groups", state: query.typed.state, sort, size });
  return filterForm(query, { filters: fields, kept, all: withQuery(LIST, { view: "groups" }) });
}
