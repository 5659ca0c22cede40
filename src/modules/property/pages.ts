import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { listExports, listFoot, type ListQuery, sortHead } from "../../web/parts/list.ts";
import { moment } from "../../web/parts/moment.ts";
import { path } from "../../web/path.ts";
import { labelOf, STATUSES } from "./choices.ts";
import type { listProperties, PropertyLine } from "./store.ts";

const LIST = path`/property`;
const newButton = html`<a class="button primary" href="${path`/property/new`}">New property</a>`;

type Listed = Awaited<ReturnType<typeof listProperties>>;

/** All properties, or those that match. */
export function propertyListPage({ lines, count }: Listed, query: ListQuery): Page {
  const nobody = count.total === 0 && query.q === "";
  return {
    title: "Properties",
    section: "property",
    cache: "revalidate",
    actions: html`${listExports(LIST, query, count)} ${newButton}`,
    main: nobody
      ? noProperties
      : html`${searchForm(query)} ${lines.length === 0 ? nothingFound(query) : table(lines, query)} ${listFoot(LIST, query, count)}`,
  };
}

const noProperties = html`<div class="empty">
  <p>There is no property yet. Create the first one; its categories and the messages of its senders follow.</p>
  <p>${newButton}</p>
  <p class="hint">Just looking around? <code>npm run seed</code> fills the store with made-up hotels.</p>
</div>`;

function searchForm({ q }: ListQuery): Html {
  return html`<form class="search" method="get" action="${LIST}" role="search">
    <div>
      <label for="q">Search code, name, city, country, group</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" />
    </div>
    <button type="submit">Search</button>
    ${q === "" ? nothing : html`<a href="${LIST}">Show all</a>`}
  </form>`;
}

function nothingFound({ q, page }: ListQuery): Html {
  if (page > 1) return html`<p class="empty">The list has no page ${page}. <a href="${LIST}">Go to the first</a></p>`;
  return html`<p class="empty">No property has a word that begins with <strong>${q}</strong>. <a href="${LIST}">Show all</a></p>`;
}

function table(lines: readonly PropertyLine[], query: ListQuery): Html {
  return html`<div class="scroll list stacked">
    <table class="table">
      <thead>
        <tr>
          ${sortHead(LIST, query, { name: "name", label: "Name" })} ${sortHead(LIST, query, { name: "code", label: "Code" })}
          <th scope="col">City</th>
          <th scope="col">Currency</th>
          <th scope="col" class="number">Categories</th>
          <th scope="col">Last message</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        ${each(lines, line)}
      </tbody>
    </table>
  </div>`;
}

function line({ code, name, status, city, country, currency, categories, lastMessageAt }: PropertyLine): Html {
  return html`<tr>
    <th scope="row"><a href="${path`/property/${code}`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td>${[city, country].filter(Boolean).join(", ")}</td>
    <td>${currency}</td>
    <td class="number" data-label="Categories">${categories}</td>
    <td class="nowrap" data-label="Last message">
      ${lastMessageAt === undefined ? html`<span class="muted">never</span>` : moment(lastMessageAt)}
    </td>
    <td>${statusBadge(status)}</td>
  </tr>`;
}

/** The status in words; a property that is not on sale stands out. */
export function statusBadge(status: string): Html {
  return html`<span class="${status === "active" ? "badge good" : "badge warn"}">${labelOf(STATUSES, status)}</span>`;
}
