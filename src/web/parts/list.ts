import { readTyped } from "../form.ts";
import { each, type Html, html, nothing, type Path } from "../html.ts";
import { withQuery } from "../path.ts";
import { amount } from "./amount.ts";
import { type Choices, hiddenFields, selectBox } from "./field.ts";
import type { FormState } from "./fields.ts";

/** What a list page reads from its query; `all`: the boxes of all its rows are ticked, else those of the `chosen`. */
export type ListQuery = {
  q: string;
  sort: string;
  direction: "asc" | "desc";
  page: number;
  size: number;
  all?: boolean;
  chosen?: readonly string[];
};

/** Rows a page, of which people choose. */
const PAGE_SIZES = [25, 50, 100] as const;
const USUAL_SIZE = 50;

/** The page size that a query asks for; the usual one where it asks for one that cannot be chosen. */
export function readPageSize(text: unknown): number {
  return PAGE_SIZES.find((one) => one === Number(text)) ?? USUAL_SIZE;
}

/** The page size as an address has it, which leaves out the usual one. */
export function toldPageSize(size: number): number | undefined {
  return size === USUAL_SIZE ? undefined : size;
}

/** Reads `q`, `sort` (one of `sortable`, with `-` in front for descending), `page` and `size`; anything else falls back to the default, and of a field sent twice the last one counts. */
export function readListQuery(query: unknown, sortable: readonly string[]): ListQuery {
  const given = readTyped(query);
  const sort = given.sort ?? "";
  const name = sort.replace(/^-/, "");
  const page = Number(given.page);
  return {
    q: (given.q ?? "").slice(0, 200),
    sort: sortable.includes(name) ? name : sortable[0]!,
    direction: sortable.includes(name) && sort.startsWith("-") ? "desc" : "asc",
    page: Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: readPageSize(given.size),
    all: given.all === "1",
  };
}

/** What a list is searched and filtered by; `list` is the whole list, `base` the same as it is filtered. */
type SearchForm = { list: Path; base: Path; q: string; label: string; filters: Html };

/** The form above a list. */
export function searchForm({ list, base, q, label, filters }: SearchForm): Html {
  return html`<form class="search" method="get" action="${list}" role="search">
    <div>
      <label for="q">${label}</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" />
    </div>
    ${filters}
    <button type="submit">Search</button>
    ${q === "" && base === list ? nothing : html`<a href="${list}">Show all</a>`}
  </form>`;
}

/** The order and the length of pages, which a search keeps. */
export function keptOrder(query: ListQuery): Html {
  return hiddenFields({ sort: sortOf(query), size: toldPageSize(query.size) });
}

type ListFilter = { name: string; label: string; choices: Choices };

/** A filter whose values are chosen from; empty is any. A value that is none of the choices is kept, with what is wrong with it. */
export function listFilter({ typed, faults }: FormState, { name, label, choices }: ListFilter): Html {
  const [value, fault] = [typed[name] ?? "", faults[name]];
  const unknown: Choices = fault === undefined ? [] : [[value, value]];
  return selectBox(name, label, { value, choices: [["", "any"], ...choices, ...unknown], fault });
}

/** Instead of rows, where a list has fewer pages. */
export function noSuchPage(base: Path, query: ListQuery): Html {
  return html`<p class="empty">The list has no page ${query.page}. <a href="${pageAt(base, query, {})}">Go to the first</a></p>`;
}

/** A column head that sorts by its column, or turns the order when it does already; the style sheet draws the arrow. */
export function sortHead(base: Path, query: ListQuery, column: { name: string; label: string }): Html {
  const current = query.sort === column.name;
  const turned = current && query.direction === "asc" ? `-${column.name}` : column.name;
  const to = withQuery(base, { q: query.q, sort: turned, size: toldPageSize(query.size) });
  const order = query.direction === "asc" ? "ascending" : "descending";
  return html`<th scope="col" aria-sort="${current ? order : "none"}">
    <a href="${to}">${column.label}</a>
  </th>`;
}

/** How many rows there are; when not `exact`, there are more than `total`. */
export type Count = { total: number; exact: boolean };

/** What stands below a searched list: its pages. A list reads a limited number of matches: beyond them another word helps, not another page. */
export function listFoot(base: Path, query: ListQuery, count: Count): Html {
  if (count.exact && count.total === 0) return nothing;
  if (query.q === "" || count.exact) return pager(base, query, count);
  return html`<p class="notice warn">More match than the ${amount(count.total)} shown here. Add a word to find fewer.</p>
    ${pager(base, query, { total: count.total, exact: true })}`;
}

/** Where a list is had as data: all of it as CSV, this page as JSON; nothing where nothing is listed. */
export function listExports(base: Path, query: ListQuery, count: Count): Html {
  if (count.exact && count.total === 0) return nothing;
  const { q, page, size } = query;
  return exportLinks((format) => withQuery(base, { q, sort: sortOf(query), ...(format === "json" && { page, size }), format }));
}

/** Where what a page shows is had as data. */
export function exportLinks(addressOf: (format: "csv" | "json") => Path): Html {
  return html`<a class="button" href="${addressOf("csv")}">CSV</a> <a class="button" href="${addressOf("json")}">JSON</a>`;
}

/** Links to the page before and after, and where in the list this one is. */
function pager(base: Path, query: ListQuery, { total, exact }: Count): Html {
  const first = (query.page - 1) * query.size + 1;
  const last = Math.min(query.page * query.size, exact ? total : Number.POSITIVE_INFINITY);
  const before = Math.min(query.page - 1, exact ? Math.ceil(total / query.size) : Number.POSITIVE_INFINITY);
  const of = exact ? amount(total) : `more than ${amount(total)}`;
  return html`<nav class="pager" aria-label="Pages">
    <p>${first <= last ? `${amount(first)}–${amount(last)} of ${of}` : `Nothing on this page, ${of} in all`}</p>
    <ul>
      ${query.page > 1 ? html`<li><a href="${pageAt(base, query, { page: before })}" rel="prev">Previous</a></li>` : nothing}
      ${last < total || !exact ? html`<li><a href="${pageAt(base, query, { page: query.page + 1 })}" rel="next">Next</a></li>` : nothing}
    </ul>
    ${exact && total <= PAGE_SIZES[0] ? nothing : sizes(base, query)}
  </nav>`;
}

function sizes(base: Path, query: ListQuery): Html {
  return html`<p class="sizes" id="sizes">Rows a page</p>
    <ul aria-labelledby="sizes">
      ${each(PAGE_SIZES, (size) => sizeLink(pageAt(base, query, { size }), size, size === query.size))}
    </ul>`;
}

type Place = { page?: number; size?: number; all?: 1 | undefined };

/** The address of a page of the list. */
export function pageAt(base: Path, query: ListQuery, { page = 1, size = query.size, all }: Place): Path {
  return withQuery(base, {
    q: query.q,
    sort: sortOf(query),
    page: page === 1 ? undefined : page,
    size: toldPageSize(size),
    all,
  });
}

function sortOf({ sort, direction }: ListQuery): string {
  return direction === "desc" ? `-${sort}` : sort;
}

function sizeLink(to: Path, size: number, current: boolean): Html {
  return current ? html`<li><span aria-current="true">${size}</span></li>` : html`<li><a href="${to}">${size}</a></li>`;
}
