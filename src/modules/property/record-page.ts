import type { MessageRow } from "../../db/schema.ts";
import type { NextNights } from "../../grid/next-nights.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { amount } from "../../web/parts/amount.ts";
import { wordFor } from "../../web/parts/choices.ts";
import { fact } from "../../web/parts/facts.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { type History, history } from "../../web/parts/history.ts";
import { momentAtProperty } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { warnings } from "../../web/parts/warnings.ts";
import { path, withQuery } from "../../web/path.ts";
import { countries, currencies, PROPERTY_TYPES } from "./choices.ts";
import { PROPERTY_LABELS as LABELS, PROPERTY_WORDS } from "./labels.ts";
import { lastMessages } from "./last-messages.ts";
import { categoryOutlook } from "./outlook.ts";
import { statusBadge } from "./pages.ts";
import { type Property, warningsOf } from "./property.ts";
import type { Activity, PropertyCategory } from "./store.ts";

/** A property with what belongs to it. */
export type PropertyRecord = {
  property: Property;
  categories: readonly PropertyCategory[];
  activity: Activity | undefined;
  /** The newest of them. */
  messages: readonly MessageRow[];
  outlook: NextNights;
  changes: History;
};

/** One property. */
export function propertyPage({ property, categories, activity, messages, outlook, changes }: PropertyRecord): Page {
  const { code } = property;
  return {
    title: property.name,
    section: "property",
    actions: forAdmins(html`<a class="button primary" href="${path`/property/${code}/edit`}">Edit property</a>`),
    main: html`${warnings(warningsOf(code))} ${links(code)}
      <div class="split">
        <div>${categorySection(code, categories, outlook)} ${record(property)}</div>
        <div>
          ${activityPanel(property, activity)} ${lastMessages(code, messages)}
          ${history(changes, PROPERTY_WORDS, path`/property/${code}/edit`)}
        </div>
      </div>`,
  };
}

function links(code: string): Html {
  const property = { property: code };
  return html`<ul class="links">
    <li><a href="${withQuery(path`/inventories`, property)}">Inventories</a></li>
    <li><a href="${withQuery(path`/rates`, property)}">Rates</a></li>
    <li><a href="${withQuery(path`/dev/logs`, property)}">Messages</a></li>
    <li><a href="${withQuery(path`/category`, { hotelCode: code })}">Categories</a></li>
  </ul>`;
}

function categorySection(code: string, categories: readonly PropertyCategory[], outlook: NextNights): Html {
  const add = withQuery(path`/category/new`, { hotelCode: code });
  return html`<section aria-labelledby="categories">
    <div class="heading">
      <h2 id="categories">Categories</h2>
      ${forAdmins(html`<a class="button" href="${add}">New category</a>`)}
    </div>
    ${categories.length === 0 ? noCategory : categoryTable(code, categories, outlook)}
  </section>`;
}

const noCategory = html`<p class="empty">
  This property has no category yet.${forAdmins(html` Create one; messages can then say how many of its rooms are free.`)}
</p>`;

/** With more of them the record below would be out of reach. */
const MOST_CATEGORIES = 100;

function categoryTable(code: string, categories: readonly PropertyCategory[], outlook: NextNights): Html {
  const shown = categories.slice(0, MOST_CATEGORIES);
  return html`${scrollTable(
    { label: "List of categories", heads: ["Name", "Code", { number: "Rooms" }, "Free, 14 nights", "Status", "See"], narrow: "stacked" },
    each(shown, (category) => categoryLine(code, category, outlook.get(category.code))),
  )}
  ${shown.length < categories.length ? moreCategories(code, categories.length) : nothing}`;
}

function moreCategories(code: string, count: number): Html {
  return html`<p>
    The first ${MOST_CATEGORIES} of ${amount(count)} categories are shown.
    <a href="${withQuery(path`/category`, { hotelCode: code })}">See all of them</a>
  </p>`;
}

function categoryLine(property: string, { code, name, rooms, status }: PropertyCategory, nights: ReturnType<NextNights["get"]>): Html {
  return html`<tr>
    <th scope="row"><a href="${path`/category/${property}/${code}/edit`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td class="number" data-label="Rooms">${amount(rooms)}</td>
    <td data-label="Free, 14 nights">${categoryOutlook(nights)}</td>
    <td>${statusBadge(status)}</td>
    <td class="nowrap">
      <a href="${withQuery(path`/inventories`, { property, category: code })}"
        >Inventories<span class="visually-hidden"> of ${name}</span></a
      >
      <a href="${withQuery(path`/rates`, { property, category: code })}">Rates<span class="visually-hidden"> of ${name}</span></a>
    </td>
  </tr>`;
}

function activityPanel({ createdAt, updatedAt, version, timeZone }: Property, activity: Activity | undefined): Html {
  const at = (time: number | undefined) => momentAtProperty(time, timeZone);
  return html`<section class="panel" aria-labelledby="activity">
    <h2 id="activity">Activity</h2>
    <dl class="facts">
      <dt>Last message</dt>
      <dd>${at(activity?.lastMessageAt)}</dd>
      <dt>Last complete set of counts</dt>
      <dd>${at(activity?.lastCompleteSetAt)}</dd>
      <dt>Last complete set of rate plans</dt>
      <dd>${at(activity?.lastRatePlanSetAt)}</dd>
      <dt>Created</dt>
      <dd>${at(createdAt)}</dd>
      <dt>Last edited</dt>
      <dd>${at(version === 1 ? undefined : updatedAt)}</dd>
    </dl>
  </section>`;
}

function record(property: Property): Html {
  return html`<section class="panel" aria-labelledby="record">
    <h2 id="record">Record</h2>
    <dl class="facts">
      <dt>Code</dt>
      <dd><code>${property.code}</code></dd>
      <dt>${LABELS.status}</dt>
      <dd>${statusBadge(property.status)}</dd>
      ${each(factsOf(property), ([label, value]) => fact(label, value))}
    </dl>
  </section>`;
}

function factsOf(property: Property): [label: string, value: string | undefined][] {
  return [
    [LABELS.propertyType, `${wordFor(PROPERTY_TYPES, property.propertyType)} (${property.propertyType})`],
    [LABELS.stars, property.stars?.toString()],
    ["Address", addressOf(property)],
    ["Coordinates", property.latitude && `${property.latitude}, ${property.longitude}`],
    [LABELS.timeZone, property.timeZone],
    [LABELS.currency, wordFor(currencies(), property.currency)],
    [LABELS.pricesIncludeTax, yesNo(property.pricesIncludeTax)],
    [LABELS.assumeOpen, yesNo(property.assumeOpen)],
    [LABELS.knownPlansOnly, yesNo(property.knownPlansOnly)],
    [LABELS.horizonDays, String(property.horizonDays)],
    ["Check-in", fromUntil(property.checkInFrom, property.checkInUntil)],
    [LABELS.checkOutUntil, property.checkOutUntil],
    ["Age of children", fromUntil(property.minChildAge?.toString(), property.maxChildAge?.toString())],
    [LABELS.languages, property.languages],
    [LABELS.contactName, property.contactName],
    [LABELS.phone, property.phone],
    [LABELS.email, property.email],
    [LABELS.website, property.website],
    [LABELS.groupName, property.groupName],
    [LABELS.externalId, property.externalId],
    [LABELS.description, property.description],
    [LABELS.notes, property.notes],
  ];
}

function addressOf({ street, postalCode, city, region, country }: Property): string {
  const town = [postalCode, city].filter(Boolean).join(" ");
  return [street, town, region, country && wordFor(countries(), country)].filter(Boolean).join("\n");
}

function fromUntil(from: string | undefined, until: string | undefined): string | undefined {
  if (from !== undefined && until !== undefined) return `${from} to ${until}`;
  if (from !== undefined) return `from ${from}`;
  return until === undefined ? undefined : `until ${until}`;
}

function yesNo(value: boolean): string {
  return value ? "Yes" : "No";
}
