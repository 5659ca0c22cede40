import { DAY_MS, formatNight, HOUR_MS } from "../calendar/night.ts";
import type { Faults } from "../web/form.ts";
import { each, type Html, html, nothing } from "../web/html.ts";
import { type Choices, errorSummary, faultAttributes, faultText, fieldBox, type Select, selectBox } from "../web/parts/fields.ts";
import { fold } from "../web/parts/filters.ts";
import { localMoment, readMoment, serverZone } from "../web/parts/moment.ts";
import { GRID_DAYS, type GridQuery, type Problem } from "./query.ts";
import { type GridScene, gridLink, pastLink } from "./scene.ts";

const DAYS: Choices = GRID_DAYS.map((days) => [String(days), String(days)]);
const ONLY: readonly (readonly [Problem | "", string])[] = [
  ["", "All rows"],
  ["gaps", "Rows with gaps"],
  ["closed", "Rows with closed nights"],
  ["zero", "Rows with a 0"],
  ["changed1", "Changed in the last day"],
  ["changed7", "Changed in the last 7 days"],
  ["stale2", "Not updated for 2 days"],
  ["stale7", "Not updated for 7 days"],
  ["stale30", "Not updated for 30 days"],
];

/** The choice of what is shown, as a form that works without JavaScript. `plans` is undefined when plans cannot be chosen. */
export function gridForm(scene: GridScene, plans: Choices | undefined): Html {
  const { query, property, base, first } = scene;
  const { typed, faults } = query;
  const form = html`<form class="grid-form" method="get" action="${base}">
    <input type="hidden" name="property" value="${property.code}" />
    ${query.view === "grid" ? nothing : html`<input type="hidden" name="view" value="${query.view}" />`}
    ${selectBox("category", "Category", { value: query.category, choices: [["", "All categories"], ...scene.categories.map(named)] })}
    ${plans === undefined ? nothing : selectBox("plan", "Rate plan", { value: query.plan, choices: [["", "All rate plans"], ...plans] })}
    ${input("from", "From", { type: "date", value: typed.from || formatNight(first), fault: faults.from })}
    ${selectBox("days", "Days", chosen(query, "days", { value: String(query.days), choices: DAYS }))}
    ${selectBox("only", "Show", chosen(query, "only", { value: query.only ?? "", choices: ONLY }))}
    ${input("asOf", `As it was at (${serverZone})`, { ...asOfValue(query), fault: faults.asOf, beside: html`<a class="small" href="${pastLink(scene, aDayAgo(scene))}">a day ago</a>` })}
    <button type="submit">Show</button>
  </form>`;
  const summary = html`${shownInWords(scene, plans)}`;
  return html`${errorSummary(atFields(faults))}${fold({ summary, open: Object.keys(faults).length > 0 }, form)}`;
}

/** Rounded down to the hour, so that the ETag of the page changes only once an hour. */
function aDayAgo({ now }: GridScene): number {
  return now - (now % HOUR_MS) - DAY_MS;
}

/** Such as `DBL, all rate plans, 14 days`; the grid shows which days. */
function shownInWords({ query, days }: GridScene, plans: Choices | undefined): string {
  const { category, plan, only } = query;
  const chosenPlan = plans ? [plan || "all rate plans"] : [];
  const rows = ONLY.filter(([value]) => value === only).map(([, label]) => label.toLowerCase());
  return [category || "All categories", ...chosenPlan, `${days.length} days`, ...rows].join(", ");
}

/** The form has no field for `night`, which comes only from links: its faults are shown at the field `from`. */
function atFields({ night, ...faults }: Faults): Faults {
  return night === undefined ? faults : { from: night, ...faults };
}

/** Back and forth in time, and other ways to look at the same nights. */
export function gridNavigation(scene: GridScene): Html {
  const { query, first } = scene;
  const at = (night: number) => gridLink(scene, { from: formatNight(night) });
  return html`<nav class="grid-nav" aria-label="Days">
    <ul>
      <li>
        <a href="${at(first - query.days)}" rel="prev"><span aria-hidden="true">‹</span> <span class="word">Previous</span></a>
      </li>
      <li><a href="${gridLink(scene, { from: "" })}">Today</a></li>
      <li>
        <a href="${at(first + query.days)}" rel="next"><span class="word">Next</span> <span aria-hidden="true">›</span></a>
      </li>
    </ul>
    <ul aria-label="View">
      ${each(VIEWS, ([view, label]) => viewItem(scene, view, label))}
    </ul>
  </nav>`;
}

const VIEWS: readonly (readonly [GridQuery["view"], string])[] = [
  ["grid", "Grid"],
  ["calendar", "Calendar"],
  ["list", "Day by day"],
];

function viewItem(scene: GridScene, view: GridQuery["view"], label: string): Html {
  if (view === scene.query.view) return html`<li><span aria-current="true">${label}</span></li>`;
  // A calendar has room for four weeks.
  const days = view === "calendar" ? { days: "28" } : {};
  return html`<li><a href="${gridLink(scene, { ...days, view: view === "grid" ? "" : view })}">${label}</a></li>`;
}

/** Always a day and a time: the field cannot show a day alone, which an address may have, and it would be lost with the next form. */
function asOfValue({ asOf, typed }: GridQuery): Pick<Input, "type" | "value"> {
  if (asOf === undefined) return { type: "datetime-local", value: typed.asOf ?? "" };
  const value = `${localMoment(asOf).replace(" ", "T")}.${String(asOf % 1_000).padStart(3, "0")}`.replace(/(:00)?\.000$/, "");
  // Nor can it tell the second of two hours of the same name, when clocks go back.
  return readMoment(value, "first") === asOf ? { type: "datetime-local", value } : { type: "text", value: typed.asOf ?? "" };
}

/** A value that is not in the list stays chosen beside the fault that says so. */
function chosen({ typed, faults }: GridQuery, name: "days" | "only", select: Select): Select {
  if (faults[name] === undefined) return select;
  const asked = typed[name] ?? "";
  return { value: asked, choices: [[asked, asked.slice(0, 20)], ...select.choices], fault: faults[name] };
}

/** A category or rate plan to choose, by its code and its name where that says more. */
export function named({ code, name = code }: { code: string; name?: string | undefined }): Choices[number] {
  return [code, name === code ? code : `${code} · ${name}`];
}

type Input = { type: "date" | "datetime-local" | "text"; value: string; fault: string | undefined; beside?: Html };

/** A value that a date field cannot show stays visible as text, so that it can be put right. */
function input(name: string, label: string, { type: asked, value, fault, beside = nothing }: Input): Html {
  const type = fault === undefined ? asked : "text";
  // Else browsers count minutes from the moment that is shown, and take no other.
  const step = type === "datetime-local" ? html`step="any"` : nothing;
  return fieldBox(
    fault,
    html`<label for="f-${name}">${label}</label> ${beside} ${faultText(name, fault)}
      <input id="f-${name}" name="${name}" type="${type}" value="${value}" ${step} ${faultAttributes(name, fault)} />`,
  );
}
