import type { TypedValues } from "../form.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../html.ts";
import { path, withQuery } from "../path.ts";
import { hiddenFields } from "./fields.ts";
import { isolateDirections } from "./isolate.ts";
import { relativeMoment } from "./moment.ts";

export type PropertyHead = {
  code: string;
  name: string;
  city: string | undefined;
  status: string;
  lastMessage: { at: number; sender: string | undefined; refused: boolean } | undefined;
};

const PROPERTY_TABS = [
  { name: "overview", label: "Overview", key: "" },
  { name: "inventories", label: "Inventories", key: "i" },
  { name: "rates", label: "Rates", key: "r" },
  { name: "categories", label: "Categories", key: "c" },
  { name: "plans", label: "Rate plans", key: "" },
  { name: "messages", label: "Messages", key: "m" },
  { name: "history", label: "History", key: "" },
] as const;

export type PropertyTab = (typeof PROPERTY_TABS)[number]["name"];

/** A property's page. `nights` contains the grids' dates and filters, which every tab keeps. */
export type PropertyPage = { head: PropertyHead; tab: PropertyTab; nights: TypedValues };

/** Renders a property's header. On the overview, whose title is the property's name, it contains the h1 and the page's actions. */
export function propertyHeader({ head, tab, nights }: PropertyPage, { title, actions }: { title: string; actions?: Html }): Html {
  const { code, name, city, status, lastMessage } = head;
  return html`<header class="property-header">
    <div class="property-line">
      ${title === name ? html`<h1>${name}</h1>` : html`<p class="property-name"><a href="${tabPath("overview", code, nights)}">${name}</a></p>`}
      <code>${code}</code>
      ${city === undefined ? emptyHtml : html`<span class="muted">${isolateDirections(city)}</span>`}
      <span class="${status === "active" ? "badge good" : "badge warn"} status">${status}</span>
      <span class="muted freshness">${freshnessNote(lastMessage)}</span>
      ${propertySwitcher(tab, nights)}
    </div>
    <div class="property-line">
      <nav class="property-tabs" aria-label="Property">
        <ul>
          ${mapHtml(PROPERTY_TABS, (one) => tabItem(one, tabPath(one.name, code, nights), one.name === tab))}
        </ul>
      </nav>
      ${title === name && actions ? html`<div class="actions">${actions}</div>` : emptyHtml}
    </div>
  </header>`;
}

function freshnessNote(last: PropertyHead["lastMessage"]): Html {
  if (last === undefined) return html`no messages yet`;
  const from = last.sender === undefined ? emptyHtml : html`<span class="from"> from <bdi>${last.sender}</bdi></span>`;
  return html`last message ${relativeMoment(last.at)}${from}${last.refused ? html` <span class="badge bad">refused</span>` : emptyHtml}`;
}

function tabItem({ label, key }: (typeof PROPERTY_TABS)[number], to: Path, isCurrent: boolean): Html {
  const shortcutAttribute = key === "" ? emptyHtml : html`data-key="${key}"`;
  return html`<li><a href="${to}" ${shortcutAttribute} ${isCurrent ? html`aria-current="page"` : emptyHtml}>${label}</a></li>`;
}

/** Searches for a different property and opens it at the same tab and dates. */
function propertySwitcher(tab: PropertyTab, nights: TypedValues): Html {
  return html`<form class="switcher" method="get" action="${path`/tools/search`}" role="search" aria-label="Properties" data-search="typed">
    ${hiddenFields({ tab, nights: nightsText(withoutPropertyCodes(nights)) })}
    <input
      id="switch"
      name="q"
      type="search"
      maxlength="200"
      autocomplete="off"
      placeholder="Switch property"
      aria-label="Switch property"
    />
    <button type="submit">Go</button>
  </form>`;
}

export function isPropertyTab(text: string | undefined): text is PropertyTab {
  return PROPERTY_TABS.some(({ name }) => name === text);
}

export function tabPath(tab: PropertyTab, code: string, nights: TypedValues): Path {
  const keptParameters = { nights: nightsText(nights) };
  if (tab === "inventories") return withQuery(path`/inventories`, { property: code, ...nights });
  if (tab === "rates") return withQuery(path`/rates`, { property: code, ...nights });
  if (tab === "categories") return withQuery(path`/category`, { hotelCode: code, ...keptParameters });
  if (tab === "plans") return withQuery(path`/tools/plans`, { property: code, ...keptParameters });
  if (tab === "messages") return withQuery(path`/dev/logs`, { property: code, ...keptParameters });
  return withQuery(path`/property/${code}`, { view: tab === "history" ? "history" : "", ...keptParameters });
}

const SHARED_NIGHT_PARAMETERS = ["from", "days", "view", "asOf", "compare"];
const NIGHT_PARAMETERS = [...SHARED_NIGHT_PARAMETERS, "category", "plan", "only"];

/** Returns the dates and filters from a grid's query. */
export function gridNights(query: TypedValues): TypedValues {
  return pickFields(query, NIGHT_PARAMETERS);
}

/** Returns the dates and filters that other pages keep in their parameter `nights`. */
export function keptNights({ nights = "" }: TypedValues): TypedValues {
  return gridNights(Object.fromEntries(new URLSearchParams(nights.slice(0, 500))));
}

/** Removes filters that apply only to this property's categories or rate plans. */
function withoutPropertyCodes(nights: TypedValues): TypedValues {
  return pickFields(nights, SHARED_NIGHT_PARAMETERS);
}

export function nightsText(nights: TypedValues): string {
  return new URLSearchParams(Object.entries(nights)).toString();
}

function pickFields(query: TypedValues, names: readonly string[]): TypedValues {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}
