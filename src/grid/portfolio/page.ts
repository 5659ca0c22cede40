import { formatNight, todayIn, weekdayIndex } from "../../calendar/night.ts";
import type { Choices } from "../../text.ts";
import { mapHtml, type Html, html, emptyHtml, type Path, relativeTime } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { errorSummary, faultAttributes, faultText, fieldBox, hiddenFields, selectBox } from "../../web/parts/fields.ts";
import { foldedForm } from "../../web/parts/filters.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { edgeKeys, exportLinks, listFilter, listFooter, noSuchPage } from "../../web/parts/list.ts";
import { relativeMoment, serverZone } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { daysFrom, type Day } from "../day.ts";
import { GRID_DAYS } from "../query.ts";
import { cellClass, drawCells, nightTable } from "../table.ts";
import { DRAW_BY_MEASURE, problemLegend } from "./cell.ts";
import { MEASURE_CHOICES, PROBLEM_FILTERS, type PortfolioQuery, SILENCE_CHOICES } from "./query.ts";
import type { Portfolio, PortfolioLine } from "./read.ts";

export type PortfolioLabels = { title: "Inventories" | "Rates"; section: "inventories" | "rates"; measure: "rooms" | "price" };

type PortfolioView = {
  texts: PortfolioLabels;
  query: PortfolioQuery;
  portfolio: Portfolio;
  statuses: Choices;
  views: readonly SavedView[];
  now: number;
};

type SavedView = { name: string; query: string };

/** The form's filters in order. All of them are in the URL, so that a view can be shared. */
const FILTER_FIELDS = ["q", "from", "days", "show", "problem", "priceMin", "priceMax", "group", "country", "status", "silent"] as const;

export function portfolioPage(shown: PortfolioView): Page {
  const { texts, query, portfolio } = shown;
  const base = path`/${texts.section}`;
  const list = withQuery(base, { choose: "property", ...filterValues(query) });
  const isEmpty = portfolio.count.total === 0 && !FILTER_FIELDS.some((name) => query.typed[name]);
  const hasFaults = Object.keys(query.faults).length > 0;
  const exports = exportLinks((format) => withQuery(base, { choose: "property", ...filterValues(query), format }));
  return {
    title: texts.title,
    wide: true,
    refused: hasFaults,
    lead: "All properties by night. Select a night to see it in the property's grid.",
    ...(!isEmpty && { actions: exports }),
    main: isEmpty
      ? noProperties
      : html`${errorSummary(query.faults)} ${presetLinks(base, shown)}
        ${foldedForm({ summary: html`${filterSummary(query)}`, open: hasFaults }, filterForm(base, shown))} ${freshnessNotice(portfolio)}
        ${portfolio.lines.length === 0 ? noResults(base, list, query) : portfolioTable(base, shown)}
        ${listFooter(list, query, { count: portfolio.count, edges: pageEdges(portfolio, query) })}
        ${query.measure === "problems" ? problemLegend : emptyHtml}`,
  };
}

/**
 * Returns the first and last property code for links to other pages. When filtering by problem, every property is read anyway, so page
 * numbers are enough.
 */
function pageEdges({ lines }: Portfolio, { problem }: PortfolioQuery) {
  return problem === undefined ? edgeKeys(lines, ({ code }) => code) : undefined;
}

export function filterValues({ typed }: PortfolioQuery): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(FILTER_FIELDS.map((name) => [name, typed[name]]));
}

const noProperties = html`<div class="empty">
  <p>No properties yet. Nights appear here after the first messages.</p>
  ${ifAllowed(html`<p><a class="button primary" href="${path`/property/new`}">New property</a></p>`)}
</div>`;

function noResults(base: Path, list: Path, query: PortfolioQuery): Html {
  if (query.page !== 1) return noSuchPage(list, query);
  return html`<p class="empty">No properties match these filters. <a href="${withQuery(base, { choose: "property" })}">Show all</a></p>`;
}

const FRIDAY_INDEX = 4;

function presetLinks(base: Path, { texts, query, views, now }: PortfolioView): Html {
  const today = todayIn(serverZone, now);
  const nextFriday = today + ((FRIDAY_INDEX - weekdayIndex(today) + 7) % 7);
  const weekend = { from: formatNight(nextFriday), days: "2" };
  const links = [
    ["Next 14 nights", {}],
    ["Next 62 nights", { days: "62" }],
    ["Closed this weekend", { ...weekend, problem: "closed" }],
    ["Sold out this weekend", { ...weekend, problem: "sold out" }],
    ["Missing prices", { days: "62", problem: "no price" }],
    ["Missing counts", { days: "62", problem: "no count" }],
    ["Silent for 2 days", { silent: "2" }],
  ] as const;
  const savedPresets = views.map((view) => [view.name, Object.fromEntries(new URLSearchParams(view.query))] as const);
  const filters = nonEmptyFields(filterValues(query));
  const current = JSON.stringify(filters);
  const presetItems = [...savedPresets, ...links].map(([label, fields]) => {
    const isCurrent = JSON.stringify(nonEmptyFields(fields)) === current;
    const to = withQuery(base, { choose: "property", ...fields });
    return html`<li>${isCurrent ? html`<span aria-current="true">${label}</span>` : html`<a href="${to}">${label}</a>`}</li>`;
  });
  const saveLink = withQuery(path`/tools/views`, { grid: texts.section, query: new URLSearchParams(filters).toString() });
  return html`<nav class="presets" aria-label="Views">
    <ul>
      ${mapHtml(presetItems, (item) => item)}
      <li><a href="${saveLink}">Save view…</a></li>
    </ul>
  </nav>`;
}

function nonEmptyFields(fields: Readonly<Record<string, string | undefined>>): [string, string][] {
  return FILTER_FIELDS.flatMap((name): [string, string][] => (fields[name] ? [[name, fields[name]]] : []));
}

function filterForm(base: Path, { query, portfolio: { choices }, statuses }: PortfolioView): Html {
  const countries = choices.countries.map((code) => [code, code] as const);
  const groups = choices.groups.map((group) => [group, group] as const);
  return html`<form class="grid-form" method="get" action="${base}" role="search">
    ${hiddenFields({ choose: "property", sort: query.typed.sort, size: query.typed.size, view: query.typed.view })}
    ${filterInput(query, { name: "q", label: "Search", type: "search" })}
    ${filterInput(query, { name: "from", label: "From", type: "date" })}
    ${filterInput(query, { name: "days", label: "Nights", type: "text" })}
    ${selectBox("show", "Show", { value: query.measure, choices: MEASURE_CHOICES, fault: query.faults.show })}
    ${listFilter(query, { name: "problem", label: "Problem", choices: PROBLEM_FILTERS })}
    ${filterInput(query, { name: "priceMin", label: "Minimum price", type: "text" })}
    ${filterInput(query, { name: "priceMax", label: "Maximum price", type: "text" })}
    ${groups.length > 0 ? listFilter(query, { name: "group", label: "Group", choices: groups }) : emptyHtml}
    ${countries.length > 1 ? listFilter(query, { name: "country", label: "Country", choices: countries }) : emptyHtml}
    ${listFilter(query, { name: "status", label: "Status", choices: statuses })}
    ${listFilter(query, { name: "silent", label: "Last message", choices: SILENCE_CHOICES })}
    <button type="submit">Show</button>
  </form>`;
}

type FilterInput = { name: (typeof FILTER_FIELDS)[number]; label: string; type: "search" | "date" | "text" };

/** Returns an input. A date field can't show an invalid value, so a text field replaces it. */
function filterInput({ typed, faults, first, nights }: PortfolioQuery, { name, label, type }: FilterInput): Html {
  const fault = faults[name];
  const defaults: Partial<Record<FilterInput["name"], string>> = { from: formatNight(first), days: String(nights) };
  const value = typed[name] || (defaults[name] ?? "");
  return fieldBox(
    fault,
    html`<label for="f-${name}">${label}</label> ${faultText(name, fault)}
      <input
        id="f-${name}"
        name="${name}"
        type="${fault === undefined ? type : "text"}"
        value="${value}"
        ${faultAttributes(name, fault)}
      />`,
  );
}

function filterSummary({ typed, first, nights, problem }: PortfolioQuery): string {
  const label = PROBLEM_FILTERS.find(([value]) => value === problem)?.[1];
  return [typed.q, `${formatCount(nights, "night")} from ${formatNight(first)}`, label, typed.group, typed.country, typed.status]
    .filter(Boolean)
    .join(", ");
}

function freshnessNotice({ backlog: { changes, since, isFilling } }: Portfolio): Html {
  if (isFilling) return html`<p class="hint" role="status">The first summaries are still being created, so some nights are missing.</p>`;
  if (changes === 0) return html`<p class="hint">Up to date.</p>`;
  return html`<p class="hint" role="status">
    ${formatCount(changes, "change is", "changes are")} not shown yet. The oldest arrived ${relativeMoment(since)}.
  </p>`;
}

function portfolioTable(base: Path, { texts, query, portfolio, now }: PortfolioView): Html {
  const days = daysFrom(query.first, query.nights, todayIn(serverZone, now));
  const label = MEASURE_CHOICES.find(([value]) => value === query.measure)![1];
  const caption = `${label} by property, ${days[0]!.iso} to ${days.at(-1)!.iso}`;
  const target = gridPath(base, texts, query);
  const rows = mapHtml(portfolio.lines, (line) => tableRow(target, query, { line, days, isHere: target === base }));
  return nightTable({
    caption,
    days,
    rowHead: "Property",
    kind: "portfolio",
    body: html`<tbody>
      ${rows}
    </tbody>`,
  });
}

/** `isHere` is true if the row's grid has the same URL path as this page, so that its links can be short. */
type Row = { line: PortfolioLine; days: readonly Day[]; isHere: boolean };

/** Returns the path of the grid that shows the measure in detail. For problems, the path stays the same, because both grids show them. */
function gridPath(base: Path, { measure }: PortfolioLabels, query: PortfolioQuery): Path {
  if (query.measure === measure || query.measure === "problems") return base;
  return query.measure === "price" ? path`/rates` : path`/inventories`;
}

function tableRow(base: Path, query: PortfolioQuery, { line, days, isHere }: Row): Html {
  const { code, name, lastMessageAt } = line;
  const { from, days: nights, view } = query.typed;
  const grid = withQuery(base, { property: code, from, days: GRID_DAYS.some((one) => String(one) === nights) ? nights : undefined, view });
  const cells = drawCells(line.nights, DRAW_BY_MEASURE[query.measure](line));
  const link = html`${isHere ? emptyHtml : base}?at=${encodeURIComponent(code)}/`;
  return html`<tr>
    <th scope="row">
      <a href="${grid}">${name}</a>
      <span class="name"><code>${code}</code> ${lastMessageAt === undefined ? "no messages" : relativeTime(lastMessageAt)}</span>
    </th>
    ${mapHtml(days, (day, index) => html`<td${cellClass(cells[index]!, day)}><a href="${link}${day.iso}">${cells[index]!.content}</a></td>`)}
  </tr>`;
}
