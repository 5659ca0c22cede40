import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { amount } from "../../web/parts/amount.ts";
import { isolate } from "../../web/parts/isolate.ts";
import { moment } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { ErrorQuery } from "./error-query.ts";
import type { ErrorGroup, GroupOrder } from "./groups.ts";
import type { ErrorPage } from "./list-store.ts";
import { emptyState, LIST, viewPage } from "./view-page.ts";

const ORDERS: readonly (readonly [GroupOrder, string])[] = [
  ["last", "Last seen first"],
  ["count", "Most often first"],
];

/** The error log with what is alike in one row, so that a flood of one kind hides no other. */
export function errorGroupsPage(query: ErrorQuery, groups: readonly ErrorGroup[], found: ErrorPage): Page {
  return viewPage(query, {
    title: "Errors in groups",
    lead: "Errors of the same class, source and message, but for names and numbers in it.",
    asQuery: viewOf(query),
    other: html`<a class="button" href="${withQuery(LIST, query.typed)}">Every entry</a>`,
    content: html`${orders(query)} ${groups.length === 0 ? emptyState(query, found) : groupTable(groups)} ${extent(found)}`,
  });
}

/** What tells this view from the list, as a query. */
function viewOf({ order }: ErrorQuery): Readonly<Record<string, string>> {
  return order === "last" ? { view: "groups" } : { view: "groups", sort: order };
}

function orders(query: ErrorQuery): Html {
  return html`<ul class="links">
    ${each(ORDERS, ([order, label]) =>
      order === query.order
        ? html`<li><span aria-current="true">${label}</span></li>`
        : html`<li><a href="${withQuery(LIST, { ...query.typed, ...viewOf({ ...query, order }) })}">${label}</a></li>`,
    )}
  </ul>`;
}

function groupTable(groups: readonly ErrorGroup[]): Html {
  const heads = [{ number: "Times" }, "Last", "First", "Class", "Newest message", "Source"];
  return scrollTable({ label: "Errors in groups", heads, narrow: "stacked" }, each(groups, groupRow));
}

function groupRow({ count, lastAt, lastId, firstAt, class: name, message, source }: ErrorGroup): Html {
  return html`<tr>
    <td class="number" data-label="Times">${amount(count)}</td>
    <td class="nowrap" data-label="Last"><a href="${path`/tools/errors/${lastId}`}">${moment(lastAt)}</a></td>
    <td class="nowrap" data-label="First">${moment(firstAt)}</td>
    <td class="name wide">
      <div class="clamp"><a href="${withQuery(LIST, { class: name, source })}">${name}</a></div>
    </td>
    <td class="long"><div class="clamp">${isolate(message)}</div></td>
    <td data-label="Source">${source}</td>
  </tr>`;
}

/** How far back was looked, where there is more. */
function extent({ entries, next, searchedTo }: ErrorPage): Html {
  const back = searchedTo ?? entries.at(-1)?.at;
  if (next === undefined || back === undefined) return nothing;
  return html`<p class="hint">${amount(entries.length)} entries back to ${moment(back)}. Enter an earlier time in To for those before.</p>`;
}
