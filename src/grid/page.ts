import { DAY_MS } from "../calendar/night.ts";
import { type Html, html, nothing, type Path } from "../web/html.ts";
import type { Page } from "../web/page.ts";
import { amount } from "../web/parts/amount.ts";
import type { Choices } from "../web/parts/fields.ts";
import { forAdmins } from "../web/parts/for-admins.ts";
import { exportLinks } from "../web/parts/list.ts";
import { moment, momentAtProperty } from "../web/parts/moment.ts";
import { path, withQuery } from "../web/path.ts";
import { gridCalendars } from "./calendar.ts";
import { gridForm, gridNavigation } from "./form.ts";
import { type GridScene, gridLink, nightsOf, pastLink } from "./scene.ts";
import { gridList, type GridRow, gridTable, type GridTotal } from "./table.ts";

/** What one of the two views draws of its rows. */
export type Drawn = {
  /** Undefined where plans cannot be chosen. */
  plans: Choices | undefined;
  rows: readonly GridRow[];
  total?: GridTotal | undefined;
  legend: Html;
};

/** What one of the two views puts into the common page. */
type GridParts = Drawn & {
  title: "Inventories" | "Rates";
  section: "inventories" | "rates";
  /** How far back the past is known, in milliseconds since 1970; undefined: from the first message on. */
  reach: number | undefined;
  panel: Html;
};

/** A grid with its form, its navigation and its legend. */
export function gridPage(scene: GridScene, parts: GridParts): Page {
  const { query } = scene;
  const refused = Object.keys(query.faults).length > 0;
  return {
    title: parts.title,
    subject: scene.property.name,
    section: parts.section,
    wide: true,
    refused,
    actions: exportLinks((format) => gridLink(scene, { format })),
    main: html`${lead(scene, parts.section)} ${gridForm(scene, parts.plans)} ${pastBanner(scene, parts.reach)} ${parts.panel}
    ${gridNavigation(scene)} ${body(scene, parts)} ${scene.categories.length === 0 ? nothing : parts.legend}`,
  };
}

/** Whose nights these are, and where else to look. */
function lead(scene: GridScene, section: GridParts["section"]): Html {
  const { base, query, property } = scene;
  return html`<ul class="links lead">
    <li><a href="${path`/property/${property.code}`}">${property.name}</a> (${property.code})</li>
    <li>${otherGrid(scene, OTHERS[section])}</li>
    <li><a href="${withQuery(base, { choose: "property", ...nightsOf(query) })}">Other property</a></li>
  </ul>`;
}

type Other = { label: string; base: Path };

const OTHERS: Readonly<Record<GridParts["section"], Other>> = {
  inventories: { label: "Rates", base: path`/rates` },
  rates: { label: "Inventories", base: path`/inventories` },
};

/** The other grid with the same property, category and nights. */
function otherGrid({ query, property }: GridScene, { label, base }: Other): Html {
  const { category, asOf, typed } = query;
  const link = withQuery(base, {
    property: property.code,
    category,
    ...nightsOf(query),
    asOf: asOf && typed.asOf,
  });
  return html`<a href="${link}">${label}<span class="visually-hidden"> of these nights</span></a>`;
}

function body(scene: GridScene, { title, rows, total, plans }: GridParts): Html {
  const { query, days, categories, property } = scene;
  if (categories.length === 0) return noCategories(property.code);
  if (rows.length === 0) return noRows(scene);
  const shown = rows.slice(0, MOST_ROWS);
  const grid = { caption: `${title} of ${property.name}, ${days[0]!.iso} to ${days.at(-1)!.iso}`, days, rows: shown, total };
  const whole = query.asOf === undefined && query.only === undefined;
  const nothingYet = whole && shown.every(({ cells }) => cells.every(({ state }) => state === "gap"));
  return html`${nothingYet ? nothingReceived(scene) : nothing}${shown.length < rows.length ? tooMany(rows.length, plans) : nothing}${VIEWS[query.view](grid)}`;
}

/** Each category has a row, unless only some are asked for, or those of a rate plan that nobody knows. */
function noRows(scene: GridScene): Html {
  const { only, plan } = scene.query;
  if (only !== undefined)
    return html`<p class="empty">No row is like that. <a href="${gridLink(scene, { only: "" })}">Show all rows</a></p>`;
  return html`<p class="empty">
    No message has named a rate plan <b>${plan}</b> of this property. <a href="${gridLink(scene, { plan: "" })}">Show all rate plans</a>
  </p>`;
}

/** Nights of dashes alone tell nobody what to do. */
function nothingReceived(scene: GridScene): Html {
  const { code } = scene.property;
  const why = whyNothing(scene);
  const send = html`, or <a href="${withQuery(path`/dev/channel`, { property: code })}">send one from the console</a>`;
  return html`<p class="notice">
    Nothing was received for these nights${why}. See the
    <a href="${withQuery(path`/dev/logs`, { property: code })}">messages of this property</a>${why === "" ? forAdmins(send) : nothing}.
  </p>`;
}

/** Nights for which no message would help. */
function whyNothing({ property, first, days, today }: GridScene): string {
  if (first + days.length <= today) return ", or they are past for longer than nights are kept";
  if (first <= today + property.horizonDays) return "";
  return `, and what messages say of them is not kept: this property sells ${amount(property.horizonDays)} days ahead`;
}

const VIEWS = { grid: gridTable, list: gridList, calendar: gridCalendars };

/** More than anyone reads at once; CSV and JSON have all. */
const MOST_ROWS = 400;

function tooMany(rows: number, plans: GridParts["plans"]): Html {
  return html`<p class="notice warn">
    The first ${MOST_ROWS} of ${amount(rows)} rows are shown. Choose a category${plans ? " or a rate plan" : ""} to see the others.
  </p>`;
}

function noCategories(code: string): Html {
  return html`<div class="empty">
    <p>This property has no category yet. A category is a kind of room that it sells.</p>
    ${forAdmins(html`<p><a class="button primary" href="${withQuery(path`/category/new`, { hotelCode: code })}">New category</a></p>`)}
  </div>`;
}

function pastBanner(scene: GridScene, reach: number | undefined): Html {
  const { asOf } = scene.query;
  if (asOf === undefined) return nothing;
  const days = [
    [asOf - DAY_MS, "A day earlier"],
    [asOf + DAY_MS, "A day later"],
  ] as const;
  const steps = days.filter(([at]) => at <= scene.now);
  return html`<p class="notice" role="status">
    As it was at <b>${momentAtProperty(asOf, scene.property.timeZone)}</b>.
    ${reach === undefined ? "No earlier state is kept: nothing has changed since the first message." : html`Changes are kept back to ${moment(reach)}.`}
    ${reach !== undefined && asOf < reach ? html`<b>This moment is further back: what is shown is the state just before then.</b>` : nothing}
    ${steps.map(([at, label]) => html`<a href="${pastLink(scene, at)}">${label}</a> `)}
    <a href="${gridLink(scene, { asOf: "" })}">Show what holds now</a>
  </p>`;
}
