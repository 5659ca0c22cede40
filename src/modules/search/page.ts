import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { hiddenFields } from "../../web/parts/fields.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { nightsText } from "../../web/parts/property-header.ts";
import { path, withQuery } from "../../web/path.ts";
import { MAX_RESULTS, type ResultGroup, type SearchQuery } from "./find.ts";

export function searchPage(query: SearchQuery, groups: readonly ResultGroup[]): Page {
  const { q } = query;
  return {
    title: "Search",
    main: html`${searchForm(query)}
    ${q !== "" && groups.length === 0 ? html`<p class="empty">Nothing matches “${q}”. Try part of a name or code, or a message ID.</p>` : emptyHtml}
    ${mapHtml(groups, groupSection)} ${q === "" ? emptyHtml : archivedHint(q)}`,
  };
}

function archivedHint(q: string): Html {
  const archivedLink = withQuery(path`/property`, { q, status: "archived" });
  return html`<p class="hint">Archived properties are not included. <a href="${archivedLink}">Search archived properties</a></p>`;
}

function searchForm({ q, tab, nights }: SearchQuery): Html {
  const label = tab === undefined ? "Name, code, message ID or EchoToken" : "Property name, code or city";
  return html`<form class="search" method="get" action="${path`/tools/search`}" role="search">
    <div>
      <label for="q">${label}</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" ${q === "" ? html`autofocus` : emptyHtml} />
    </div>
    ${hiddenFields({ tab, nights: nightsText(nights) })}
    <button type="submit">Search</button>
  </form>`;
}

function groupSection({ title, results, all }: ResultGroup): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <ul class="results">
      ${mapHtml(results, ({ label, detail, to }) => html`<li><a href="${to}">${isolateDirections(label)}</a> <span class="muted">${isolateDirections(detail)}</span></li>`)}
    </ul>
    ${all && results.length === MAX_RESULTS ? html`<p><a href="${all}">View all matching ${title.toLowerCase()}</a></p>` : emptyHtml}
  </section>`;
}
