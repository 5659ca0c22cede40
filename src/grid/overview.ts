import { setImmediate as nextTurn } from "node:timers/promises";
import { formatNight } from "../calendar/night.ts";
import { each, type Html, html, type Path } from "../web/html.ts";
import type { Page } from "../web/page.ts";
import { hiddenFields } from "../web/parts/fields.ts";
import { ifAllowed } from "../web/parts/if-allowed.ts";
import { orderFields, listFooter, noSuchPage, searchForm } from "../web/parts/list.ts";
import { relativeMoment } from "../web/parts/moment.ts";
import { path, withQuery } from "../web/path.ts";
import { type GridContext, type GridSources, openProperty, type PropertyList } from "./context.ts";
import { nightFields } from "./links.ts";
import type { GridQuery } from "./query.ts";
import { labelledSparkline, type LabelledSparkline } from "./sparkline.ts";

/** One number per night for a whole property; `json` names the number for programs. */
export type PropertySparkline = LabelledSparkline & { json(value: number): object };

type OverviewLine = PropertyList["lines"][number] & Pick<GridContext, "days"> & { nights: PropertySparkline };

export type Overview = Omit<PropertyList, "lines"> & { lines: readonly OverviewLine[] };

type Summaries = { query: GridQuery; sparklineOf(context: GridContext): Promise<PropertySparkline> };

/** Reads the current grid of each listed property. A grid can be large, so each one gets its own turn of the event loop. */
export async function readOverview(
  sources: GridSources,
  base: Path,
  { list, lines, count, query, sparklineOf }: PropertyList & Summaries,
): Promise<Overview> {
  const found: OverviewLine[] = [];
  for (const line of lines) {
    const context = await openProperty(sources, base, { ...query, ...UNFILTERED, property: line.code });
    found.push({ ...line, days: context.days, nights: await sparklineOf(context) });
    await nextTurn();
  }
  return { list, count, lines: found };
}

const UNFILTERED = {
  ...{ category: "", plan: "", asOf: undefined, only: undefined, updatedBefore: undefined, changedSince: undefined },
  ...{ night: undefined, nightRow: { category: "", plan: "", room: "" } },
};

export function overviewJson({ list, lines, count }: Overview): object {
  return { ...count, page: list.page, size: list.size, properties: lines.map(lineJson) };
}

function lineJson({ code, name, lastMessageAt, days, nights: { values, json } }: OverviewLine): object {
  const nights = days.map(({ iso }, index) => ({ night: iso, ...(values[index] !== undefined && json(values[index])) }));
  return { code, name, lastMessageAt: lastMessageAt === undefined ? undefined : new Date(lastMessageAt).toISOString(), nights };
}

export type OverviewTexts = { title: "Inventories" | "Rates"; section: "inventories" | "rates"; summary: string };

export function overviewPage({ title, section, summary }: OverviewTexts, query: GridQuery, overview: Overview): Page {
  const base = path`/${section}`;
  const { list, lines, count } = overview;
  const listPath = withQuery(base, { choose: "property", ...nightFields(query) });
  const faults = Object.values(query.faults);
  return {
    title,
    refused: faults.length > 0,
    lead: `${summary} by property. Select a property to see every night.`,
    main:
      list.q === "" && count.total === 0
        ? noProperties
        : html`${each(faults, (fault) => html`<p class="notice bad" role="alert">${fault}</p>`)} ${search(listPath, query, list)}
          ${lines.length === 0 ? nothingFound(listPath, list) : table(base, query, lines)} ${listFooter(listPath, list, count)}`,
  };
}

const noProperties = html`<div class="empty">
  <p>No properties yet. Nights appear here after the first messages.</p>
  ${ifAllowed(html`<p><a class="button primary" href="${path`/property/new`}">New property</a></p>`)}
</div>`;

function search(listPath: Path, query: GridQuery, list: Overview["list"]): Html {
  const filters = html`${hiddenFields({ choose: "property", ...nightFields(query) })}${orderFields(list)}`;
  return searchForm({ list: listPath, base: listPath, q: list.q, label: "Search by code, name, city, country or group", filters });
}

function nothingFound(listPath: Path, list: Overview["list"]): Html {
  if (list.page > 1) return noSuchPage(listPath, list);
  return html`<p class="empty">No properties match “${list.q}”. <a href="${listPath}">Show all</a></p>`;
}

function table(base: Path, query: GridQuery, lines: Overview["lines"]): Html {
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
          <th scope="col">Last accepted</th>
        </tr>
      </thead>
      <tbody>
        ${each(
          lines,
          ({ code, name, nights: line, lastMessageAt }) =>
            html`<tr>
              <th scope="row"><a href="${withQuery(base, { property: code, ...nightFields(query) })}">${name}</a></th>
              <td><code>${code}</code></td>
              <td class="number" data-label="${first}">${firstNight(line)}</td>
              <td data-label="${nights}">${labelledSparkline(line)}</td>
              <td class="nowrap" data-label="Last accepted">${relativeMoment(lastMessageAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function firstNight({ values: [value], format, unit }: PropertySparkline): Html {
  return value === undefined ? html`<abbr title="no data">–</abbr>` : html`${format(value)} ${unit}`;
}
