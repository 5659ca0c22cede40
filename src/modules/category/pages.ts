import type { RowCount, ListResult } from "../../db/listing.ts";
import { type Category, CATEGORY_STATUSES, CATEGORY_KINDS } from "../../records/category/category.ts";
import { keyText } from "../../records/category/list-store.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { choiceLabel } from "../../web/parts/field-words.ts";
import { hiddenFields } from "../../web/parts/fields.ts";
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
import { bulkEditLink, selectionBox, selectionHead, selectionTable } from "../../web/parts/selection.ts";
import { path, withQuery } from "../../web/path.ts";
import type { CategoryListQuery } from "./category-query.ts";

const LIST_PATH = path`/category`;

type CategoryList = ListResult<Category> & { unknownProperty: boolean };

export function categoryListPage(list: CategoryList, query: CategoryListQuery): Page {
  const { lines, count, unknownProperty } = list;
  const base = filteredList(query);
  const empty = count.total === 0 && query.q === "" && base === LIST_PATH;
  const add = newButton(unknownProperty ? "" : query.hotelCode);
  return {
    title: "Categories",
    subject: query.hotelCode || undefined,
    actions: html`${listExports(base, query, count)} ${count.total === 0 ? emptyHtml : bulkEditLink("category", base, query.q)} ${add}`,
    main: empty
      ? noCategoriesHint(add)
      : html`${categorySearch(base, query)} ${foundList(base, list, query)}
        ${listFooter(base, query, { count, edges: edgeKeys(lines, keyText) })}`,
  };
}

function newButton(hotelCode: string): Html {
  return ifAllowed(html`<a class="button primary" href="${withQuery(path`/category/new`, { hotelCode })}">New category</a>`);
}

function noCategoriesHint(add: Html): Html {
  return html`<div class="empty">
    <p>No categories yet. A category is a type of room that a property sells, such as a double room.</p>
    <p>${add}</p>
  </div>`;
}

function categorySearch(base: Path, query: CategoryListQuery): Html {
  const { q, hotelCode } = query;
  const filters = html`<div>
      <label for="hotelCode">Property code</label>
      <input id="hotelCode" name="hotelCode" type="text" value="${hotelCode}" maxlength="64" class="short" />
    </div>
    ${listFilter(query, { name: "status", label: "Status", choices: CATEGORY_STATUSES })} ${orderFields(query)}
    ${hiddenFields({ nights: hotelCode === "" ? "" : query.typed.nights })}`;
  return searchForm({ list: LIST_PATH, base, q, label: "Search by code, name or type", filters });
}

function foundList(base: Path, { lines, count, unknownProperty }: CategoryList, query: CategoryListQuery): Html {
  if (unknownProperty) return noPropertyHint(query);
  return lines.length === 0 ? noResults(base, query, count) : categoryTable(base, query, lines);
}

function noPropertyHint({ hotelCode }: CategoryListQuery): Html {
  return html`<p class="empty">
    Property <strong>${hotelCode}</strong> does not exist. <a href="${path`/property`}">View all properties</a>
  </p>`;
}

function noResults(base: Path, query: CategoryListQuery, { total }: RowCount): Html {
  const { q, hotelCode, page, typed } = query;
  if (total > 0 || page !== 1) return noSuchPage(base, query);
  if (typed.status) return html`<p class="empty">No categories match these filters. <a href="${LIST_PATH}">Show all</a></p>`;
  if (q === "") return html`<p class="empty">Property <strong>${hotelCode}</strong> has no categories yet. ${newButton(hotelCode)}</p>`;
  const inPropertyHtml = hotelCode === "" ? emptyHtml : html` in property <strong>${hotelCode}</strong>`;
  return html`<p class="empty">No categories${inPropertyHtml} match “${q}”. <a href="${LIST_PATH}">Show all</a></p>`;
}

function categoryTable(base: Path, query: CategoryListQuery, lines: readonly Category[]): Html {
  const heads = html`${selectionHead(base, query)} ${sortableHeader(base, query, { name: "name", label: "Name" })}
    ${sortableHeader(base, query, { name: "code", label: "Code" })} ${sortableHeader(base, query, { name: "hotelCode", label: "Property" })}
    ${sortableHeader(base, query, { name: "kind", label: "Type" })}
    ${sortableHeader(base, query, { name: "rooms", label: "Rooms", class: "number" })}
    ${sortableHeader(base, query, { name: "guests", label: "Guests", class: "number" })}
    ${sortableHeader(base, query, { name: "status", label: "Status" })}
    <th scope="col">View</th>`;
  return selectionTable(
    { label: "Categories", kind: "category", address: currentPage(base, query), heads },
    mapHtml(lines, (one) => tableRow(one, query)),
  );
}

function tableRow({ hotelCode, code, name, kind, rooms, minOccupancy, maxOccupancy, status }: Category, list: CategoryListQuery): Html {
  const query = { property: hotelCode, category: code };
  return html`<tr>
    ${selectionBox(list, keyText({ hotelCode, code }), name)}
    <th scope="row"><a href="${path`/category/${hotelCode}/${code}/edit`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td>
      <a href="${path`/property/${hotelCode}`}"><code>${hotelCode}</code></a>
    </td>
    <td>${choiceLabel(CATEGORY_KINDS, kind)}</td>
    <td class="number" data-label="Rooms">${formatNumber(rooms)}</td>
    <td class="number nowrap" data-label="Guests">
      ${minOccupancy === maxOccupancy ? String(maxOccupancy) : `${minOccupancy}–${maxOccupancy}`}
    </td>
    <td><span class="${status === "active" ? "badge good" : "badge warn"}">${choiceLabel(CATEGORY_STATUSES, status)}</span></td>
    <td class="nowrap">
      <a href="${withQuery(path`/inventories`, query)}">Inventories<span class="visually-hidden"> for ${name}</span></a>
      <a href="${withQuery(path`/rates`, query)}">Rates<span class="visually-hidden"> for ${name}</span></a>
    </td>
  </tr>`;
}

function filteredList({ hotelCode, typed: { status, nights } }: CategoryListQuery): Path {
  return withQuery(LIST_PATH, { hotelCode, status, nights: hotelCode === "" ? "" : nights });
}
