import { each, type Html, html, nothing, type Path } from "../html.ts";
import { withQuery } from "../path.ts";

/** What a list page reads from its query. */
export type ListQuery = { q: string; sort: string; direction: "asc" | "desc"; page: number; size: number };

export const PAGE_SIZES = [25, 50, 100] as const;

/** Reads `q`, `sort` (one of `sortable`, with `-` in front for descending), `page` and `size`; anything else falls back to the default. */
export function readListQuery(query: unknown, sortable: readonly string[]): ListQuery {
  const given = query as Record<string, unknown>;
  const sort = typeof given.sort === "string" ? given.sort : "";
  const name = sort.replace(/^-/, "");
  const size = Number(given.size);
  const page = Number(given.page);
  return {
    q: typeof given.q === "string" ? given.q.trim().slice(0, 200) : "",
    sort: sortable.includes(name) ? name : sortable[0]!,
    direction: sortable.includes(name) && sort.startsWith("-") ? "desc" : "asc",
    page: Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: PAGE_SIZES.find((one) => one === size) ?? 50,
  };
}

/** A column head that sorts by its column, or turns the order when it does already. */
export function sortHead(base: Path, query: ListQuery, column: { name: string; label: string; numeric?: boolean }): Html {
  const current = query.sort === column.name;
  const turned = current && query.direction === "asc" ? `-${column.name}` : column.name;
  const to = withQuery(base, { q: query.q, sort: turned, size: query.size === 50 ? undefined : query.size });
  const order = query.direction === "asc" ? "ascending" : "descending";
  return html`<th scope="col" class="${column.numeric ? "number" : "text"}" aria-sort="${current ? order : "none"}">
    <a href="${to}">${column.label}${current ? html` <span aria-hidden="true">${query.direction === "asc" ? "▲" : "▼"}</span>` : nothing}</a>
  </th>`;
}

/** Links to the page before and after, and where in the list this one is. `total` is the number of all rows. */
export function pager(base: Path, query: ListQuery, total: number): Html {
  const pages = Math.max(1, Math.ceil(total / query.size));
  const to = (page: number) =>
    withQuery(base, { q: query.q, sort: query.direction === "desc" ? `-${query.sort}` : query.sort, page, size: query.size });
  const first = total === 0 ? 0 : (query.page - 1) * query.size + 1;
  return html`<nav class="pager" aria-label="Pages">
    <p>${first}–${Math.min(query.page * query.size, total)} of ${total}</p>
    <ul>
      ${query.page > 1 ? html`<li><a href="${to(query.page - 1)}" rel="prev">Previous</a></li>` : nothing}
      ${query.page < pages ? html`<li><a href="${to(query.page + 1)}" rel="next">Next</a></li>` : nothing}
    </ul>
    <ul class="sizes" aria-label="Rows a page">
      ${each(PAGE_SIZES, (size) => sizeLink(withQuery(base, { q: query.q, size }), size, size === query.size))}
    </ul>
  </nav>`;
}

function sizeLink(to: Path, size: number, current: boolean): Html {
  return current ? html`<li><span aria-current="true">${size}</span></li>` : html`<li><a href="${to}">${size}</a></li>`;
}
