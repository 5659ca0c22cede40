import type { ListResult } from "../../db/listing.ts";
import { PROPERTY_STATUSES } from "../../records/property/choices.ts";
import type { PropertyListItem } from "../../records/property/list-store.ts";
import type { Choices } from "../../text.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { choiceLabel } from "../../web/parts/field-words.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import {
  currentPage,
  edgeKeys,
  orderFields,
  listExports,
  listFilter,
  listFooter,
  noSuchPage,
  searchForm,
  sortableHeader,
} from "../../web/parts/list.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { bulkEditLink, selectionBox, selectionHead, selectionTable } from "../../web/parts/selection.ts";
import { path, withQuery } from "../../web/path.ts";
import { type PropertyListQuery, SILENT_DAYS } from "./property-query.ts";

const LIST_PATH = path`/property`;
const newButton = html`<a class="button primary" href="${path`/property/new`}">New property</a>`;

export function propertyListPage({ lines, count }: ListResult<PropertyListItem>, query: PropertyListQuery): Page {
  const base = filteredList(query);
  const isEmpty = count.total === 0 && query.q === "" && base === LIST_PATH;
  return {
    title: "Properties",
    actions: html`${listExports(base, query, count)} ${count.total === 0 ? emptyHtml : bulkEditLink("property", base, query.q)}
    ${ifAllowed(newButton)}`,
    main: isEmpty
      ? noProperties
      : html`${propertySearch(base, query)} ${lines.length === 0 ? noResults(base, query) : propertyTable(base, query, lines)}
        ${listFooter(base, query, { count, edges: edgeKeys(lines, ({ code }) => code) })}`,
  };
}

const noProperties = html`<div class="empty">
  <p>No properties yet.${ifAllowed(html` Create one to add categories and receive messages, or import many from a spreadsheet.`)}</p>
  ${ifAllowed(
    html`<p>${newButton} <a class="button" href="${path`/tools/import`}">Import</a></p>
      <p class="hint">Just looking around? Run <code>npm run seed</code> to add 40 hotels and a week of messages.</p>
      <p class="hint">
        Archived properties are hidden. <a href="${withQuery(LIST_PATH, { status: "archived" })}">Show archived properties</a>
      </p>`,
  )}
</div>`;

const LAST_MESSAGE_CHOICES: Choices = [
  ...SILENT_DAYS.map((days) => [String(days), `over ${formatCount(days, "day")} ago`] as const),
  ["never", "never"],
];

function propertySearch(base: Path, query: PropertyListQuery): Html {
  const filters = html`${listFilter(query, { name: "status", label: "Status", choices: PROPERTY_STATUSES })}
  ${listFilter(query, { name: "silent", label: "Last message", choices: LAST_MESSAGE_CHOICES })} ${orderFields(query)}`;
  return searchForm({ list: LIST_PATH, base, q: query.q, label: "Search by code, name, city, country or group", filters });
}

function noResults(base: Path, query: PropertyListQuery): Html {
  if (query.page !== 1) return noSuchPage(base, query);
  if (base !== LIST_PATH) return html`<p class="empty">No properties match these filters. <a href="${LIST_PATH}">Show all</a></p>`;
  return html`<p class="empty">No properties match “${query.q}”. <a href="${LIST_PATH}">Show all</a></p>`;
}

function propertyTable(base: Path, query: PropertyListQuery, lines: readonly PropertyListItem[]): Html {
  const heads = html`${selectionHead(base, query)} ${sortableHeader(base, query, { name: "name", label: "Name" })}
  ${sortableHeader(base, query, { name: "code", label: "Code" })} ${sortableHeader(base, query, { name: "city", label: "City" })}
  ${sortableHeader(base, query, { name: "currency", label: "Currency" })}
  ${sortableHeader(base, query, { name: "categories", label: "Categories", class: "number" })}
  ${sortableHeader(base, query, { name: "lastMessage", label: "Last accepted" })}
  ${sortableHeader(base, query, { name: "status", label: "Status" })}`;
  return selectionTable(
    { label: "Properties", kind: "property", address: currentPage(base, query), heads },
    mapHtml(lines, (one) => tableRow(one, query)),
  );
}

function tableRow(
  { code, name, status, city, country, currency, categories, lastMessageAt }: PropertyListItem,
  query: PropertyListQuery,
): Html {
  return html`<tr>
    ${selectionBox(query, code, name)}
    <th scope="row"><a href="${path`/property/${code}`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td class="name">${[city, country].filter(Boolean).join(", ")}</td>
    <td>${currency}</td>
    <td class="number" data-label="Categories">${categories}</td>
    <td class="nowrap" data-label="Last accepted">${relativeMoment(lastMessageAt)}</td>
    <td>${statusBadge(status)}</td>
  </tr>`;
}

function filteredList({ typed: { status, silent } }: PropertyListQuery): Path {
  return withQuery(LIST_PATH, { status, silent });
}

export function statusBadge(status: string): Html {
  return html`<span class="${status === "active" ? "badge good" : "badge warn"}">${choiceLabel(PROPERTY_STATUSES, status)}</span>`;
}
