import type { Count } from "../../db/count.ts";
import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { amount } from "../../web/parts/amount.ts";
import { options } from "../../web/parts/field.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { listExports, listFoot, sortHead } from "../../web/parts/list.ts";
import { path, withQuery } from "../../web/path.ts";
import { labelOf } from "../property/choices.ts";
import type { Category } from "./category.ts";
import { CATEGORY_STATUSES, KINDS } from "./choices.ts";
import type { CategoryQuery } from "./list-store.ts";

const LIST = path`/category`;

type Listed = { lines: readonly Category[]; count: Count };

/** All categories, or those of a property or that match. */
export function categoryListPage(listed: Listed, query: CategoryQuery): Page {
  const { lines, count } = listed;
  const empty = count.total === 0 && query.q === "" && filtered(query) === LIST;
  const add = newButton(query.hotelCode);
  return {
    title: "Categories",
    ...(query.hotelCode === "" ? {} : { of: query.hotelCode }),
    section: "category",
    cache: "revalidate",
    actions: html`${listExports(filtered(query), query, count)} ${add}`,
    main: empty
      ? noCategories(add)
      : html`${filterForm(query)} ${lines.length === 0 ? nothingFound(query, count) : table(lines, query)}
        ${listFoot(filtered(query), query, count)}`,
  };
}

function newButton(hotelCode: string): Html {
  return forAdmins(html`<a class="button primary" href="${withQuery(path`/category/new`, { hotelCode })}">New category</a>`);
}

function noCategories(add: Html): Html {
  return html`<div class="empty">
    <p>There is no category yet. A category is a kind of room that a property sells, such as a double room.</p>
    <p>${add}</p>
  </div>`;
}

function filterForm(query: CategoryQuery): Html {
  const { q, hotelCode, status } = query;
  return html`<form class="search" method="get" action="${LIST}" role="search">
    <div>
      <label for="q">Search code, name, kind</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" />
    </div>
    <div>
      <label for="hotelCode">Property code</label>
      <input id="hotelCode" name="hotelCode" type="text" value="${hotelCode}" maxlength="64" class="short" />
    </div>
    <div>
      <label for="status">Status</label>
      <select id="status" name="status">
        ${options([["", "any"], ...CATEGORY_STATUSES], status ?? "")}
      </select>
    </div>
    <button type="submit">Search</button>
    ${q === "" && filtered(query) === LIST ? nothing : html`<a href="${LIST}">Show all</a>`}
  </form>`;
}

function nothingFound(query: CategoryQuery, { total }: Count): Html {
  const { q, hotelCode, page, status } = query;
  if (total > 0 || page > 1)
    return html`<p class="empty">The list has no page ${page}. <a href="${withQuery(filtered(query), { q })}">Go to the first</a></p>`;
  if (status !== undefined) return html`<p class="empty">No category is like that. <a href="${LIST}">Show all</a></p>`;
  const where = hotelCode === "" ? nothing : html` of property <strong>${hotelCode}</strong>`;
  const what = q === "" ? nothing : html` has a word that begins with <strong>${q}</strong>`;
  if (q === "") return html`<p class="empty">There is no category${where}. ${newButton(hotelCode)}</p>`;
  return html`<p class="empty">No category${where}${what}. <a href="${LIST}">Show all</a></p>`;
}

function table(lines: readonly Category[], query: CategoryQuery): Html {
  const base = filtered(query);
  return html`<div class="scroll list stacked">
    <table class="table">
      <thead>
        <tr>
          ${sortHead(base, query, { name: "name", label: "Name" })}
          <th scope="col">Code</th>
          ${sortHead(base, query, { name: "hotelCode", label: "Property" })}
          <th scope="col">Kind</th>
          <th scope="col" class="number">Rooms</th>
          <th scope="col" class="number">Guests</th>
          <th scope="col">Status</th>
          <th scope="col">See</th>
        </tr>
      </thead>
      <tbody>
        ${each(lines, line)}
      </tbody>
    </table>
  </div>`;
}

function line({ hotelCode, code, name, kind, rooms, minOccupancy, maxOccupancy, status }: Category): Html {
  const query = { property: hotelCode, category: code };
  return html`<tr>
    <th scope="row"><a href="${path`/category/${hotelCode}/${code}/edit`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td>
      <a href="${path`/property/${hotelCode}`}"><code>${hotelCode}</code></a>
    </td>
    <td>${labelOf(KINDS, kind)}</td>
    <td class="number" data-label="Rooms">${amount(rooms)}</td>
    <td class="number nowrap" data-label="Guests">
      ${minOccupancy === maxOccupancy ? String(maxOccupancy) : `${minOccupancy}–${maxOccupancy}`}
    </td>
    <td><span class="${status === "active" ? "badge good" : "badge warn"}">${labelOf(CATEGORY_STATUSES, status)}</span></td>
    <td class="nowrap">
      <a href="${withQuery(path`/inventories`, query)}">Inventories<span class="visually-hidden"> of ${name}</span></a>
      <a href="${withQuery(path`/rates`, query)}">Rates<span class="visually-hidden"> of ${name}</span></a>
    </td>
  </tr>`;
}

/** The list as it is filtered, without search and order. */
function filtered({ hotelCode, status }: CategoryQuery): Path {
  return hotelCode === "" && status === undefined ? LIST : withQuery(LIST, { hotelCode, status });
}
