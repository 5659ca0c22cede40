import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { counted } from "../../web/parts/amount.ts";
import { type Choices, options } from "../../web/parts/field.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { listExports, listFoot, sortHead } from "../../web/parts/list.ts";
import { moment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { labelOf, STATUSES } from "./choices.ts";
import type { listProperties, PropertyLine } from "./list-store.ts";
import { type PropertyListQuery, SILENCES } from "./property-query.ts";

const LIST = path`/property`;
const newButton = forAdmins(html`<a class="button primary" href="${path`/property/new`}">New property</a>`);

type Listed = Awaited<ReturnType<typeof listProperties>>;

/** All properties, or those that match. */
export function propertyListPage({ lines, count }: Listed, query: PropertyListQuery): Page {
  const base = filtered(query);
  const nobody = count.total === 0 && query.q === "" && base === LIST;
  return {
    title: "Properties",
    section: "property",
    cache: "revalidate",
    actions: html`${listExports(base, query, count)} ${newButton}`,
    main: nobody
      ? noProperties
      : html`${searchForm(query)} ${lines.length === 0 ? nothingFound(query) : table(lines, query)} ${listFoot(base, query, count)}`,
  };
}

const noProperties = html`<div class="empty">
  <p>There is no property yet. Create the first one; its categories and the messages of its senders follow.</p>
  <p>${newButton}</p>
  <p class="hint">Just looking around? <code>npm run seed</code> fills the store with made-up hotels.</p>
</div>`;

const ANY: Choices[number] = ["", "any"];
const SILENT: Choices = [ANY, ...SILENCES.map((days) => [String(days), `none for ${counted(days, "day")}`] as const)];

function searchForm(query: PropertyListQuery): Html {
  const { q, status, silent } = query;
  return html`<form class="search" method="get" action="${LIST}" role="search">
    <div>
      <label for="q">Search code, name, city, country, group</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" />
    </div>
    <div>
      <label for="status">Status</label>
      <select id="status" name="status">
        ${options([ANY, ...STATUSES], status ?? "")}
      </select>
    </div>
    <div>
      <label for="silent">Last message</label>
      <select id="silent" name="silent">
        ${options(SILENT, String(silent ?? ""))}
      </select>
    </div>
    <button type="submit">Search</button>
    ${q === "" && filtered(query) === LIST ? nothing : html`<a href="${LIST}">Show all</a>`}
  </form>`;
}

function nothingFound(query: PropertyListQuery): Html {
  const { q, page } = query;
  const base = filtered(query);
  if (page > 1) return html`<p class="empty">The list has no page ${page}. <a href="${withQuery(base, { q })}">Go to the first</a></p>`;
  if (base !== LIST) return html`<p class="empty">No property is like that. <a href="${LIST}">Show all</a></p>`;
  return html`<p class="empty">No property has a word that begins with <strong>${q}</strong>. <a href="${LIST}">Show all</a></p>`;
}

function table(lines: readonly PropertyLine[], query: PropertyListQuery): Html {
  const base = filtered(query);
  return html`<div class="scroll list stacked">
    <table class="table">
      <thead>
        <tr>
          ${sortHead(base, query, { name: "name", label: "Name" })} ${sortHead(base, query, { name: "code", label: "Code" })}
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

/** The list as it is filtered, without search and order. */
function filtered({ status, silent }: PropertyListQuery): Path {
  return status === undefined && silent === undefined ? LIST : withQuery(LIST, { status, silent });
}

/** The status in words; a property that is not on sale stands out. */
export function statusBadge(status: string): Html {
  return html`<span class="${status === "active" ? "badge good" : "badge warn"}">${labelOf(STATUSES, status)}</span>`;
}
