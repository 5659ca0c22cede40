import { formatNight } from "../calendar/night.ts";
import { each, type Html, html, type Path } from "../web/html.ts";
import type { Page } from "../web/page.ts";
import { hiddenFields } from "../web/parts/fields.ts";
import { forAdmins } from "../web/parts/for-admins.ts";
import { orderFields, listFooter, noSuchPage, searchForm } from "../web/parts/list.ts";
import { moment } from "../web/parts/moment.ts";
import { path, withQuery } from "../web/path.ts";
import type { PropertyChoice } from "./open.ts";
import { outlookPicture } from "./outlook.ts";
import type { OverviewLine } from "./overview.ts";
import type { GridQuery } from "./query.ts";
import { nightsOf } from "./scene.ts";

/** What one of the two views says of its overview: `sums` is what the numbers of the properties are. */
export type OverviewParts = { title: "Inventories" | "Rates"; section: "inventories" | "rates"; sums: string };

/** A page of the properties to choose from; the nights that were asked for stay so. */
type Listed = Omit<PropertyChoice, "lines"> & { lines: readonly OverviewLine[] };

/** The nights of each property in a line, and the way to its grid. */
export function overviewPage({ title, section, sums }: OverviewParts, query: GridQuery, listed: Listed): Page {
  const base = path`/${section}`;
  const { list, lines, count } = listed;
  const here = withQuery(base, { choose: "property", ...nightsOf(query) });
  const faults = Object.values(query.faults);
  return {
    title,
    section,
    refused: faults.length > 0,
    lead: `${sums} in each property. Choose one to see every night.`,
    main:
      list.q === "" && count.total === 0
        ? noProperty
        : html`${each(faults, faultNotice)} ${search(here, query, list)}
          ${lines.length === 0 ? nothingFound(here, list) : table(base, query, lines)} ${listFooter(here, list, count)}`,
  };
}

const noProperty = html`<div class="empty">
  <p>There is no property yet. Its nights are shown here once messages have told them.</p>
  ${forAdmins(html`<p><a class="button primary" href="${path`/property/new`}">New property</a></p>`)}
</div>`;

/** The nights come by a link or an address: there is no field for them. */
function faultNotice(fault: string): Html {
  return html`<p class="notice bad" role="alert">${fault}</p>`;
}

function search(here: Path, query: GridQuery, list: PropertyChoice["list"]): Html {
  const filters = html`${hiddenFields({ choose: "property", ...nightsOf(query) })}${orderFields(list)}`;
  return searchForm({ list: here, base: here, q: list.q, label: "Search code, name, city, country, group", filters });
}

function nothingFound(here: Path, list: PropertyChoice["list"]): Html {
  if (list.page > 1) return noSuchPage(here, list);
  return html`<p class="empty">No property matches “${list.q}”. <a href="${here}">Show all</a></p>`;
}

function table(base: Path, query: GridQuery, lines: readonly OverviewLine[]): Html {
  const first = query.from === undefined ? "Tonight" : formatNight(query.from);
  const nights = `${query.days} nights`;
  return html`<div class="scroll list stacked">
    <table class="table" aria-label="Properties">
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Code</th>
          <th scope="col" class="number">${first}</th>
          <th scope="col">${nights}</th>
          <th scope="col">Last message</th>
        </tr>
      </thead>
      <tbody>
        ${each(
          lines,
          ({ code, name, outlook, lastMessageAt }) =>
            html`<tr>
              <th scope="row"><a href="${withQuery(base, { property: code, ...nightsOf(query) })}">${name}</a></th>
              <td><code>${code}</code></td>
              <td class="number" data-label="${first}">${firstNight(outlook)}</td>
              <td data-label="${nights}">${outlookPicture(outlook)}</td>
              <td class="nowrap" data-label="Last message">${moment(lastMessageAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function firstNight({ values: [value], word, unit }: OverviewLine["outlook"]): Html {
  return value === undefined ? html`<abbr title="no number for this night">–</abbr>` : html`${word(value)} ${unit}`;
}
