import type { ErrorGroup, GroupOrder, GroupPage } from "../../../errors/entry.ts";
import { textExcerpt } from "../../../text.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { faultText } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { cursorPager, pageSizeParameter } from "../../../web/parts/list.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { type LogGaps, gapsNote } from "./gaps.ts";
import { ACTION_FORM_ID, actionErrors, type ActionForm, actionForm, refusalStatus } from "./group-form.ts";
import { stateNote } from "./group-panel.ts";
import { LIST_PATH, viewPage } from "./list-page.ts";
import { type ErrorQuery, positionText, STATE_VALUES } from "./query.ts";
import { hourSparkline } from "./trend.ts";

export type GroupsView = {
  found: GroupPage;
  hours: ReadonlyMap<number, readonly number[]>;
  ungrouped: boolean;
  gaps: LogGaps;
  form: ActionForm;
};

const ORDER_LABELS: readonly (readonly [GroupOrder, string])[] = [
  ["last", "Most recent"],
  ["count", "Most frequent"],
];

export function errorGroupsPage(query: ErrorQuery, view: GroupsView): Page {
  const { found, ungrouped, gaps, form } = view;
  const page = viewPage(query, {
    title: "Error groups",
    lead: "Errors with the same class, source, code location and message. Names and numbers in messages are ignored. From and To filter by when a group was last seen.",
    viewQuery: viewParameters(query),
    note: gapsNote(gaps),
    otherView: html`<a class="button" href="${withQuery(LIST_PATH, listParameters(query))}">All entries</a>`,
    content: html`${actionErrors(form)} ${ungrouped ? groupingNote : emptyHtml} ${stateAndOrder(query)}
    ${found.groups.length === 0 ? noGroups(query) : groupTable(query, view)} ${pageSteps(query, found)}`,
  });
  return { ...page, ...refusalStatus(form) };
}

const groupingNote = html`<p class="notice">Older entries are still being grouped, so counts may be too low.</p>`;

function viewParameters({ order }: Pick<ErrorQuery, "order">): Readonly<Record<string, string>> {
  return order === "last" ? { view: "groups" } : { view: "groups", sort: order };
}

function listParameters({ typed }: ErrorQuery): Readonly<Record<string, string>> {
  return { ...typed, state: typed.state === "all" ? "" : typed.state || "open" };
}

function stateAndOrder(query: ErrorQuery): Html {
  const current = query.typed.state || "open";
  const states = STATE_VALUES.map((state) =>
    viewChoice(query, { label: state, current: state === current, to: { state: state === "open" ? "" : state } }),
  );
  const orderLinks = ORDER_LABELS.map(([order, label]) =>
    viewChoice({ ...query, order }, { label, current: order === query.order, to: {} }),
  );
  return html`${faultText("state", query.faults.state)}
    <ul class="links" id="f-state" aria-label="State">
      ${states}
    </ul>
    <ul class="links" aria-label="Sort by">
      ${orderLinks}
    </ul>`;
}

type ViewChoice = { label: string; current: boolean; to: Readonly<Record<string, string>> };

function viewChoice(query: ErrorQuery, { label, current, to }: ViewChoice): Html {
  if (current) return html`<li><span aria-current="true">${label}</span></li>`;
  return html`<li><a href="${withQuery(LIST_PATH, { ...query.typed, ...viewParameters(query), ...to })}">${label}</a></li>`;
}

function noGroups(query: ErrorQuery): Html {
  const { state, ...filters } = query.typed;
  const isFiltered = query.after !== undefined || Object.values(filters).some((value) => value !== "");
  if (isFiltered) return html`<p class="empty">No groups match these filters.</p>`;
  return html`<p class="empty">${state === "all" ? "No errors yet." : `No ${state || "open"} groups.`}</p>`;
}

function groupTable(query: ErrorQuery, { found, hours, form }: GroupsView): Html {
  const heads = [
    { action: "Select" },
    "State",
    { number: "Count" },
    "24 hours",
    "Last seen",
    "Class",
    "Latest message",
    "Source",
    "First seen",
  ];
  const rows = mapHtml(found.groups, (group) =>
    groupRow(group, { counts: hours.get(group.id) ?? [], selected: form.selected.includes(group.id) }),
  );
  return html`${actionForm(form, { legend: "Selected groups", selectLink: selectLink(query, found.groups.length) })}
  ${scrollTable({ label: "Error groups", heads, narrow: "stacked" }, rows)}`;
}

function selectLink(query: ErrorQuery, count: number): Html {
  const after = query.after && positionText(query.after);
  const pagePath = withQuery(LIST_PATH, { ...query.typed, ...viewParameters(query), size: pageSizeParameter(query.limit), after });
  if (query.all) return html`<a href="${pagePath}">Clear selection</a>`;
  return html`<a href="${withQuery(pagePath, { all: 1 })}">Select all ${formatNumber(count)} on this page</a>`;
}

function groupRow(group: ErrorGroup, { counts, selected }: { counts: readonly number[]; selected: boolean }): Html {
  const { id, count, lastAt, lastId, firstAt, class: name, message, source } = group;
  return html`<tr>
    ${ifAllowed(
      html`<td class="pick">
        <input id="g-${id}" type="checkbox" name="group" value="${id}" form="${ACTION_FORM_ID}" ${selected ? html`checked` : emptyHtml} />
        <label for="g-${id}" class="visually-hidden">Select ${name}, ${textExcerpt(message, 0, MAX_LABEL_LENGTH)}</label>
      </td>`,
    )}
    <td data-label="State">${stateNote(group)}</td>
    <td class="number" data-label="Count"><a href="${withQuery(LIST_PATH, { group: id })}">${formatNumber(count)}</a></td>
    <td data-label="24 hours">${hourSparkline(counts)}</td>
    <td class="nowrap" data-label="Last seen">
      ${lastId === undefined ? relativeMoment(lastAt) : html`<a href="${path`/tools/errors/${lastId}`}">${relativeMoment(lastAt)}</a>`}
    </td>
    <td class="name wide"><div class="clamp">${name}</div></td>
    <td class="long"><div class="clamp">${isolateDirections(message)}</div></td>
    <td data-label="Source">${source}</td>
    <td class="nowrap" data-label="First seen">${relativeMoment(firstAt)}</td>
  </tr>`;
}

const MAX_LABEL_LENGTH = 80;

function pageSteps(query: ErrorQuery, { next }: GroupPage): Html {
  const first = { ...query.typed, ...viewParameters(query), size: pageSizeParameter(query.limit) };
  return cursorPager({
    first: query.after !== undefined && { label: "First", to: withQuery(LIST_PATH, first) },
    next: next !== undefined && { label: "More", to: withQuery(LIST_PATH, { ...first, after: positionText(next) }) },
  });
}
