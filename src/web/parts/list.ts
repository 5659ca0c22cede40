import type { Choices } from "../../text.ts";
import { readTyped } from "../form.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../html.ts";
import { withQuery } from "../path.ts";
import { formatNumber } from "./amount.ts";
import { type FormState, hiddenFields, selectBox } from "./fields.ts";

/**
 * The query of a list page. Negative page numbers count from the end: -1 is the last page. With `all`, every row on the page is selected;
 * otherwise, only those in `selected`.
 */
export type ListQuery = {
  q: string;
  sort: string;
  direction: "asc" | "desc";
  page: number;
  size: number;
  all?: boolean;
  selected?: readonly string[];
  /** Key of the last row on the previous page (`after`), or the first row on the next page (`before`). */
  after?: string | undefined;
  before?: string | undefined;
};

const PAGE_SIZES = [25, 50, 100] as const;
const DEFAULT_PAGE_SIZE = 50;

export function readPageSize(text: unknown): number {
  return PAGE_SIZES.find((one) => one === Number(text)) ?? DEFAULT_PAGE_SIZE;
}

export function pageSizeParameter(size: number): number | undefined {
  return size === DEFAULT_PAGE_SIZE ? undefined : size;
}

/** Reads `q`, `sort` (one of `sortable`, with `-` for descending), `page` and `size`. Invalid values fall back to the defaults. */
export function readListQuery(query: unknown, sortable: readonly string[]): ListQuery {
  const typed = readTyped(query);
  const sort = typed.sort ?? "";
  const name = sort.replace(/^-/, "");
  const page = Number(typed.page);
  return {
    q: (typed.q ?? "").slice(0, 200),
    sort: sortable.includes(name) ? name : sortable[0]!,
    direction: sortable.includes(name) && sort.startsWith("-") ? "desc" : "asc",
    page: Number.isSafeInteger(page) && page !== 0 && Math.abs(page) <= 1_000_000 ? page : 1,
    size: readPageSize(typed.size),
    all: typed.all === "1",
    ...(typed.after !== undefined && { after: typed.after.slice(0, 200) }),
    ...(typed.before !== undefined && { before: typed.before.slice(0, 200) }),
  };
}

type SearchForm = { list: Path; base: Path; q: string; label: string; filters: Html };

export function searchForm({ list, base, q, label, filters }: SearchForm): Html {
  return html`<form class="search" method="get" action="${list}" role="search">
    <div>
      <label for="q">${label}</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" />
    </div>
    ${filters}
    <button type="submit">Search</button>
    ${q === "" && base === list ? emptyHtml : html`<a href="${list}">Show all</a>`}
  </form>`;
}

export function orderFields(query: ListQuery): Html {
  return hiddenFields({ sort: sortParameter(query), size: pageSizeParameter(query.size) });
}

type ListFilter = { name: string; label: string; choices: Choices };

/** Keeps an invalid value and shows its error message. */
export function listFilter({ typed, faults }: FormState, { name, label, choices }: ListFilter): Html {
  const [value, fault] = [typed[name] ?? "", faults[name]];
  const unknownChoice: Choices = fault === undefined ? [] : [[value, value]];
  return selectBox(name, label, { value, choices: [["", "any"], ...choices, ...unknownChoice], fault });
}

export function noSuchPage(base: Path, query: ListQuery): Html {
  return html`<p class="empty">Page ${query.page} does not exist. <a href="${pageAt(base, query, {})}">Go to the first page</a></p>`;
}

export function sortableHeader(base: Path, query: ListQuery, column: { name: string; label: string; class?: "number" }): Html {
  const isCurrent = query.sort === column.name;
  const sort = isCurrent && query.direction === "asc" ? `-${column.name}` : column.name;
  const to = withQuery(base, { q: query.q, sort, size: pageSizeParameter(query.size) });
  const order = query.direction === "asc" ? "ascending" : "descending";
  const headClass = column.class === undefined ? emptyHtml : html`class="${column.class}"`;
  return html`<th scope="col" ${headClass} aria-sort="${isCurrent ? order : "none"}">
    <a href="${to}">${column.label}</a>
  </th>`;
}

export type RowCount = { total: number; exact: boolean };

/** Keys of the first and last rows on a page. Links to the adjacent pages contain them. */
type EdgeKeys = { first: string; last: string };

export function edgeKeys<Line>(lines: readonly Line[], keyOf: (line: Line) => string): EdgeKeys | undefined {
  return lines.length === 0 ? undefined : { first: keyOf(lines[0]!), last: keyOf(lines.at(-1)!) };
}

type FooterOptions = { count: RowCount; edges: EdgeKeys | undefined };

export function listFooter(base: Path, query: ListQuery, { count, edges }: FooterOptions): Html {
  return count.exact && count.total === 0 ? emptyHtml : pagerLinks(base, query, { count, edges });
}

export function listExports(base: Path, query: ListQuery, count: RowCount): Html {
  if (count.exact && count.total === 0) return emptyHtml;
  const { q, page, size } = query;
  return exportLinks((format) => withQuery(base, { q, sort: sortParameter(query), ...(format === "json" && { page, size }), format }));
}

export function exportLinks(addressOf: (format: "csv" | "json") => Path): Html {
  return html`<a class="button" href="${addressOf("csv")}">CSV</a> <a class="button" href="${addressOf("json")}">JSON</a>`;
}

function pagerLinks(base: Path, query: ListQuery, { count, edges }: FooterOptions): Html {
  const { previous, next, first, last } = neighbourPages(query, count);
  const link = (label: string, options: PageOptions) => html`<li><a href="${pageAt(base, query, options)}">${label}</a></li>`;
  return html`<nav class="pager" aria-label="Pages">
    <p>${rangeText(query, count)}</p>
    <ul>
      ${first ? link("First", {}) : emptyHtml}
      ${previous && html`<li><a href="${pageAt(base, query, { page: previous, before: edges?.first })}" rel="prev">Previous</a></li>`}
      ${next && html`<li><a href="${pageAt(base, query, { page: next, after: edges?.last })}" rel="next">Next</a></li>`}
      ${last ? link("Last", { page: last }) : emptyHtml}
    </ul>
    ${count.exact && count.total <= PAGE_SIZES[0] ? emptyHtml : sizeLinks(base, query)}
  </nav>`;
}

type PageNumbers = Readonly<Record<"first" | "previous" | "next" | "last", number | false>>;

/** Returns the numbers of the pages to link to. If the total is unknown, the last page has the number -1. */
function neighbourPages({ page, size }: ListQuery, { total, exact }: RowCount): PageNumbers {
  const pages = exact ? Math.ceil(total / size) : Number.POSITIVE_INFINITY;
  if (page < 0) {
    const hasPrevious = -page < pages;
    return { first: hasPrevious && 1, previous: hasPrevious && page - 1, next: page < -1 && page + 1, last: page < -2 && -1 };
  }
  return {
    first: page > 2 && 1,
    previous: page > 1 && Math.min(page - 1, pages),
    next: page < pages && page + 1,
    last: page < pages - 1 && (exact ? pages : -1),
  };
}

function rangeText({ page, size }: ListQuery, { total, exact }: RowCount): string {
  const number = Math.abs(page);
  const first = (number - 1) * size + 1;
  const last = Math.min(number * size, exact ? total : Number.POSITIVE_INFINITY);
  const all = exact ? formatNumber(total) : `more than ${formatNumber(total)}`;
  if (first > last) return `No rows on this page, ${all} in total`;
  return page < 0
    ? `${formatNumber(first)}–${formatNumber(last)} from the end of ${all}`
    : `${formatNumber(first)}–${formatNumber(last)} of ${all}`;
}

function sizeLinks(base: Path, query: ListQuery): Html {
  return html`<p class="sizes" id="sizes">Rows per page</p>
    <ul aria-labelledby="sizes">
      ${mapHtml(PAGE_SIZES, (size) => sizeLink(pageAt(base, query, { size }), size, size === query.size))}
    </ul>`;
}

function sizeLink(to: Path, size: number, isCurrent: boolean): Html {
  return isCurrent ? html`<li><span aria-current="true">${size}</span></li>` : html`<li><a href="${to}">${size}</a></li>`;
}

/** Returns the path of the list page with this query. */
export function currentPage(base: Path, query: ListQuery, all?: 1): Path {
  return pageAt(base, query, { page: query.page, after: query.after, before: query.before, all });
}

type PageOptions = { page?: number; size?: number; all?: 1 | undefined; after?: string | undefined; before?: string | undefined };

function pageAt(base: Path, query: ListQuery, { page = 1, size = query.size, all, after, before }: PageOptions): Path {
  return withQuery(base, {
    q: query.q,
    sort: sortParameter(query),
    page: page === 1 ? undefined : page,
    size: pageSizeParameter(size),
    after,
    before: page === 1 ? undefined : before,
    all,
  });
}

/** Returns the query of a JSON list. If `after` is set, the list is sorted by key. `sort` is the name of the sort order by key. */
export function orderByKey<Query extends ListQuery>(query: Query, sort: string, after: string | undefined): Query {
  return after === undefined ? query : { ...query, sort, direction: "asc", page: 1, after: after || undefined, before: undefined };
}

function sortParameter({ sort, direction }: ListQuery): string {
  return direction === "desc" ? `-${sort}` : sort;
}

type PageLink = { label: string; to: Path };
type CursorPager = { first: PageLink | false; next: PageLink | false; note?: Html };

export function cursorPager({ first, next, note = emptyHtml }: CursorPager): Html {
  return html`<nav class="pager" aria-label="Pages">
    ${note}
    <ul>
      ${first && html`<li><a href="${first.to}">${first.label}</a></li>`}
      ${next && html`<li><a href="${next.to}" rel="next">${next.label}</a></li>`}
    </ul>
  </nav>`;
}
