import { formatNight } from "../calendar/night.ts";
import type { Choices } from "../text.ts";
import type { Faults } from "../web/form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import { errorSummary, faultAttributes, faultText, fieldBox, hiddenFields, type SelectOptions, selectBox } from "../web/parts/fields.ts";
import { foldedForm } from "../web/parts/filters.ts";
import { localMoment, readMoment, serverZone } from "../web/parts/moment.ts";
import { type GridContext } from "./context.ts";
import { daysAgo, gridLink, pastLink } from "./links.ts";
import { GRID_DAYS, type GridQuery, type RowFilter } from "./query.ts";

/** Ranges that the form offers. Links can also use others. */
const OFFERED_DAYS = GRID_DAYS.filter((days) => days === 14 || days === 31);
const ROW_FILTER_LABELS: readonly (readonly [RowFilter | "", string])[] = [
  ["", "All rows"],
  ["gaps", "Rows with gaps"],
  ["closed", "Rows with closed nights"],
  ["zero", "Sold-out rows"],
  ["changed1", "Changed in the last day"],
  ["changed7", "Changed in the last 7 days"],
  ["stale2", "Not updated for 2 days"],
  ["stale7", "Not updated for 7 days"],
  ["stale30", "Not updated for 30 days"],
];

export function gridForm(context: GridContext, plans: Choices | undefined): Html {
  const { query, property, base, first } = context;
  const { typed, faults } = query;
  const dayAgo = html`<a class="small" href="${pastLink(context, daysAgo(context, 1))}">a day ago</a>`;
  const form = html`<form class="grid-form" method="get" action="${base}">
    <input type="hidden" name="property" value="${property.code}" />
    ${hiddenFields({ view: query.view === "grid" ? "" : query.view, compare: query.compare === undefined ? "" : typed.compare })}
    ${selectBox("category", "Category", { value: query.category, choices: [["", "All categories"], ...context.categories.map(codeChoice)] })}
    ${plans === undefined ? emptyHtml : selectBox("plan", "Rate plan", { value: query.plan, choices: [["", "All rate plans"], ...plans] })}
    ${inputField("from", "From", { type: "date", value: typed.from || formatNight(first), fault: faults.from })}
    ${selectBox("days", "Days", withTypedValue(query, "days", { value: String(query.days), choices: daysChoices(query) }))}
    ${selectBox("only", "Show", withTypedValue(query, "only", { value: query.only ?? "", choices: ROW_FILTER_LABELS }))}
    ${inputField("asOf", `View as of (${serverZone})`, { ...asOfValue(query), fault: faults.asOf, beside: dayAgo })}
    <button type="submit">Show</button>
  </form>`;
  const summary = html`${formSummary(context, plans)}`;
  return html`${errorSummary(moveNightError(faults))}${foldedForm({ summary, open: Object.keys(faults).length > 0 }, form)}`;
}

function daysChoices({ days }: GridQuery): Choices {
  const offeredDays = OFFERED_DAYS.some((one) => one === days) ? OFFERED_DAYS : [days, ...OFFERED_DAYS];
  return offeredDays.map((one) => [String(one), String(one)]);
}

function formSummary({ query, days }: GridContext, plans: Choices | undefined): string {
  const { category, plan, only } = query;
  const planText = plans ? [plan || "all rate plans"] : [];
  const rows = ROW_FILTER_LABELS.filter(([value]) => value === only).map(([, label]) => label.toLowerCase());
  return [category || "All categories", ...planText, `${days.length} days`, ...rows].join(", ");
}

/** `night` and `select` are set only by links and have no field, so their errors are shown with `from`. */
function moveNightError({ night, select, ...faults }: Faults): Faults {
  const nightFault = night ?? select;
  return nightFault === undefined ? faults : { from: nightFault, ...faults };
}

export function gridNavigation(context: GridContext): Html {
  const { query, first } = context;
  const linkFrom = (night: number) => gridLink(context, { from: formatNight(night) });
  return html`<nav class="grid-nav" aria-label="Days">
    <ul>
      <li>
        <a href="${linkFrom(first - query.days)}" rel="prev"><span aria-hidden="true">‹</span> <span class="word">Previous</span></a>
      </li>
      <li><a href="${gridLink(context, { from: "" })}">Today</a></li>
      <li>
        <a href="${linkFrom(first + query.days)}" rel="next"><span class="word">Next</span> <span aria-hidden="true">›</span></a>
      </li>
    </ul>
    ${context.categories.length === 0 ? emptyHtml : TOOLS_MENU}
    <ul aria-label="View">
      ${mapHtml(VIEW_LABELS, ([view, label]) => viewItem(context, view, label))}
      <li><a href="${gridLink(context, { days: "", view: "year" })}">Year</a></li>
    </ul>
  </nav>`;
}

const VIEW_LABELS: readonly (readonly [GridQuery["view"], string])[] = [
  ["grid", "Grid"],
  ["calendar", "Calendar"],
  ["list", "Day by day"],
];

const TOOLS_MENU = html`<ul aria-label="Tools">
  <li><button type="button" class="plain" popovertarget="compare">Compare</button></li>
  <li><button type="button" class="plain" popovertarget="legend">Legend</button></li>
</ul>`;

function viewItem(context: GridContext, view: GridQuery["view"], label: string): Html {
  if (view === context.query.view) return html`<li><span aria-current="true">${label}</span></li>`;
  // The calendar view shows four weeks.
  const days = view === "calendar" ? { days: "28" } : {};
  return html`<li><a href="${gridLink(context, { ...days, view: view === "grid" ? "" : view })}">${label}</a></li>`;
}

/** Returns the input for `asOf`. The query may contain only a date, but the field also needs a time. */
function asOfValue({ asOf, typed }: GridQuery): Pick<InputOptions, "type" | "value"> {
  if (asOf === undefined) return { type: "datetime-local", value: typed.asOf ?? "" };
  const value = `${localMoment(asOf).replace(" ", "T")}.${String(asOf % 1_000).padStart(3, "0")}`.replace(/(:00)?\.000$/, "");
  // The field can't distinguish between the two occurrences of an hour when clocks go back.
  return readMoment(value, "first") === asOf ? { type: "datetime-local", value } : { type: "text", value: typed.asOf ?? "" };
}

/** Keeps an invalid value selected, next to its error message. */
function withTypedValue({ typed, faults }: GridQuery, name: "days" | "only", select: SelectOptions): SelectOptions {
  if (faults[name] === undefined) return select;
  const value = typed[name] ?? "";
  return { value, choices: [[value, value.slice(0, 20)], ...select.choices], fault: faults[name] };
}

export function codeChoice({ code, name = code }: { code: string; name?: string | undefined }): Choices[number] {
  return [code, name === code ? code : `${code} · ${name}`];
}

type InputOptions = { type: "date" | "datetime-local" | "text"; value: string; fault: string | undefined; beside?: Html };

/** Returns an input. A date field can't show an invalid value, so a text field replaces it. */
function inputField(name: string, label: string, { type: validType, value, fault, beside = emptyHtml }: InputOptions): Html {
  const type = fault === undefined ? validType : "text";
  // Without `step="any"`, browsers accept only values that are whole minutes away from the initial value.
  const step = type === "datetime-local" ? html`step="any"` : emptyHtml;
  return fieldBox(
    fault,
    html`<label for="f-${name}">${label}</label> ${beside} ${faultText(name, fault)}
      <input id="f-${name}" name="${name}" type="${type}" value="${value}" ${step} ${faultAttributes(name, fault)} />`,
  );
}
