import type { ErrorGroup, GroupOrder, GroupPage } from "../../../errors/storage/group.ts";
import { excerpt } from "../../../web/excerpt.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { amount } from "../../../web/parts/amount.ts";
import { faultText } from "../../../web/parts/field.ts";
import { forAdmins } from "../../../web/parts/for-admins.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { toldPageSize } from "../../../web/parts/list.ts";
import { moment } from "../../../web/parts/moment.ts";
import { steps } from "../../../web/parts/steps.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { ACTION_FORM, type ActionForm, actionFault, actionForm, refusalOf } from "./action-form.ts";
import { type Gaps, gapsNote } from "./cut-note.ts";
import { type ErrorQuery, positionText, STATES } from "./query.ts";
import { stateNote } from "./state-note.ts";
import { dayPicture } from "./trend.ts";
import { LIST, viewPage } from "./view-page.ts";

/** What the page of groups shows; `hours` are the counts of the last day by group, `ungrouped` that some entries are still to be put into groups. */
export type GroupsView = {
  found: GroupPage;
  hours: ReadonlyMap<number, readonly number[]>;
  ungrouped: boolean;
  gaps: Gaps;
  form: ActionForm;
};

const ORDERS: readonly (readonly [GroupOrder, string])[] = [
  ["last", "Last seen first"],
  ["count", "Most often first"],
];

/** The error log with what is alike in one row, so that a flood of one kind hides no other. */
export function errorGroupsPage(query: ErrorQuery, view: GroupsView): Page {
  const { found, ungrouped, gaps, form } = view;
  const page = viewPage(query, {
    title: "Errors in groups",
    lead: "Errors of the same class, source and place, and with the same message but for names and numbers in it. From and To are about when a group was last seen.",
    asQuery: viewOf(query),
    note: gapsNote(gaps),
    other: html`<a class="button" href="${withQuery(LIST, entriesOf(query))}">Every entry</a>`,
    content: html`${actionFault(form)} ${ungrouped ? stillGrouping : nothing} ${choices(query)}
    ${found.groups.length === 0 ? noGroups(query) : groupForm(query, view)} ${stepsOf(query, found)}`,
  });
  return { ...page, ...refusalOf(form) };
}

const stillGrouping = html`<p class="notice">Older entries are still being put into groups; the counts rise until all are.</p>`;

/** What tells this view from the list, as a query. */
function viewOf({ order }: Pick<ErrorQuery, "order">): Readonly<Record<string, string>> {
  return order === "last" ? { view: "groups" } : { view: "groups", sort: order };
}

/** The list has all entries where it is asked for no state. */
function entriesOf({ typed }: ErrorQuery): Readonly<Record<string, string>> {
  return { ...typed, state: typed.state === "all" ? "" : typed.state || "open" };
}

function choices(query: ErrorQuery): Html {
  const current = query.typed.state || "open";
  const states = STATES.map((state) =>
    choice(query, { label: state, chosen: state === current, to: { state: state === "open" ? "" : state } }),
  );
  const orders = ORDERS.map(([order, label]) => choice({ ...query, order }, { label, chosen: order === query.order, to: {} }));
  return html`${faultText("state", query.faults.state)}
    <ul class="links" id="f-state" aria-label="State">
      ${states}
    </ul>
    <ul class="links" aria-label="Order">
      ${orders}
    </ul>`;
}

type Choice = { label: string; chosen: boolean; to: Readonly<Record<string, string>> };

function choice(query: ErrorQuery, { label, chosen, to }: Choice): Html {
  if (chosen) return html`<li><span aria-current="true">${label}</span></li>`;
  return html`<li><a href="${withQuery(LIST, { ...query.typed, ...viewOf(query), ...to })}">${label}</a></li>`;
}

function noGroups(query: ErrorQuery): Html {
  const { state, ...others } = query.typed;
  const narrowed = query.after !== undefined || Object.values(others).some((value) => value !== "");
  if (narrowed) return html`<p class="empty">No group matches.</p>`;
  return html`<p class="empty">${state === "all" ? "No error was recorded yet." : `No group is ${state || "open"}.`}</p>`;
}

function groupForm(query: ErrorQuery, { found, hours, form }: GroupsView): Html {
  const heads = [{ action: "Choose" }, "State", { number: "Times" }, "24 hours", "Last", "Class", "Newest message", "Source", "First"];
  const rows = each(found.groups, (group) =>
    groupRow(group, { counts: hours.get(group.id) ?? [], chosen: form.chosen.includes(group.id) }),
  );
  return html`${actionForm(form, { lead: "With the chosen groups:", choose: chooseLink(query, found.groups.length) })}
  ${scrollTable({ label: "Errors in groups", heads, narrow: "stacked" }, rows)}`;
}

/** The same page with all of its boxes ticked, or none. */
function chooseLink(query: ErrorQuery, count: number): Html {
  const after = query.after && positionText(query.after);
  const here = withQuery(LIST, { ...query.typed, ...viewOf(query), size: toldPageSize(query.limit), after });
  if (query.all) return html`<a href="${here}">Choose none</a>`;
  return html`<a href="${withQuery(here, { all: 1 })}">Choose all ${amount(count)} of this page</a>`;
}

function groupRow(group: ErrorGroup, { counts, chosen }: { counts: readonly number[]; chosen: boolean }): Html {
  const { id, count, lastAt, lastId, firstAt, class: name, message, source } = group;
  return html`<tr>
    ${forAdmins(
      html`<td class="pick">
        <input id="g-${id}" type="checkbox" name="group" value="${id}" form="${ACTION_FORM}" ${chosen ? html`checked` : nothing} />
        <label for="g-${id}" class="visually-hidden">Choose ${name}, ${excerpt(message, 0, LABELLED)}</label>
      </td>`,
    )}
    <td data-label="State">${stateNote(group)}</td>
    <td class="number" data-label="Times"><a href="${withQuery(LIST, { group: id })}">${amount(count)}</a></td>
    <td data-label="24 hours">${dayPicture(counts)}</td>
    <td class="nowrap" data-label="Last">
      ${lastId === undefined ? moment(lastAt) : html`<a href="${path`/tools/errors/${lastId}`}">${moment(lastAt)}</a>`}
    </td>
    <td class="name wide"><div class="clamp">${name}</div></td>
    <td class="long"><div class="clamp">${isolate(message)}</div></td>
    <td data-label="Source">${source}</td>
    <td class="nowrap" data-label="First">${moment(firstAt)}</td>
  </tr>`;
}

const LABELLED = 80;

function stepsOf(query: ErrorQuery, { next }: GroupPage): Html {
  const first = { ...query.typed, ...viewOf(query), size: toldPageSize(query.limit) };
  return steps({
    first: query.after !== undefined && { label: "First", to: withQuery(LIST, first) },
    next: next !== undefined && { label: "More", to: withQuery(LIST, { ...first, after: positionText(next) }) },
  });
}
