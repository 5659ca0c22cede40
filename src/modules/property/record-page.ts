import { type CountedNight, roomsLeft } from "../../calendar/sale.ts";
import type { MessageRow } from "../../db/schema.ts";
import { NEXT_NIGHT_COUNT, type NextNights } from "../../grid/next-nights.ts";
import { labelledSparkline } from "../../grid/sparkline.ts";
import { OUTCOME_BADGES } from "../../journal/work.ts";
import { countries, PROPERTY_TYPES } from "../../records/property/choices.ts";
import { type Property, PROPERTY_FIELDS, PROPERTY_WORDS, codeWarnings } from "../../records/property/property.ts";
import type { PropertyActivity, PropertyCategory } from "../../records/property/store.ts";
import { toTypedValues } from "../../web/form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { choiceLabel, valueLabel } from "../../web/parts/field-words.ts";
import { type RecordHistory, historyList } from "../../web/parts/history.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { warningList } from "../../web/parts/notices.ts";
import { factRow, scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import { statusBadge } from "./pages.ts";

const FIELD_LABELS = PROPERTY_WORDS.labels;

type PropertyView = {
  property: Property;
  categories: readonly PropertyCategory[];
  activity: PropertyActivity | undefined;
  messages: readonly MessageRow[];
  nights: NextNights;
  changes: RecordHistory;
};

export function propertyPage({ property, categories, activity, messages, nights, changes }: PropertyView): Page {
  const { code } = property;
  return {
    title: property.name,
    actions: ifAllowed(
      html`<a class="button" href="${withQuery(path`/tools/property`, { property: code })}">Duplicate, archive or delete</a>
        <a class="button primary" href="${path`/property/${code}/edit`}">Edit property</a>`,
    ),
    main: html`${warningList(codeWarnings(code))}
      <div class="split">
        <div>${categorySection(code, categories, nights)} ${detailsSection(property)}</div>
        <div>
          ${activityPanel(property, activity)} ${recentMessages(code, messages)}
          ${historyList(changes, PROPERTY_WORDS, path`/property/${code}/edit`)}
        </div>
      </div>`,
  };
}

export function historyPage({ code, name }: Property, changes: RecordHistory): Page {
  return { title: "History", subject: name, main: historyList(changes, PROPERTY_WORDS, path`/property/${code}/edit`) };
}

function categorySection(code: string, categories: readonly PropertyCategory[], nights: NextNights): Html {
  const add = withQuery(path`/category/new`, { hotelCode: code });
  return html`<section aria-labelledby="categories">
    <div class="heading">
      <h2 id="categories">Categories</h2>
      ${ifAllowed(html`<a class="button" href="${add}">New category</a>`)}
    </div>
    ${categories.length === 0 ? noCategories : categoryTable(code, categories, nights)}
  </section>`;
}

const noCategories = html`<p class="empty">
  No categories yet.${ifAllowed(html` Create one so that messages can set its rates and availability.`)}
</p>`;

/** Limits the length of the table, so that the details below it are easy to reach. */
const MAX_SHOWN_CATEGORIES = 100;

const FREE_ROOMS_HEAD = `Free (${NEXT_NIGHT_COUNT} nights)`;

function categoryTable(code: string, categories: readonly PropertyCategory[], nights: NextNights): Html {
  const shownCategories = categories.slice(0, MAX_SHOWN_CATEGORIES);
  return html`${scrollTable(
    { label: "Category list", heads: ["Name", "Code", { number: "Rooms" }, FREE_ROOMS_HEAD, "Status", "View"], narrow: "stacked" },
    mapHtml(shownCategories, (category) => categoryRow(code, category, nights.get(category.code))),
  )}
  ${shownCategories.length < categories.length ? moreCategoriesLink(code, categories.length) : emptyHtml}`;
}

function moreCategoriesLink(code: string, count: number): Html {
  return html`<p>
    Showing the first ${MAX_SHOWN_CATEGORIES} of ${formatNumber(count)} categories.
    <a href="${withQuery(path`/category`, { hotelCode: code })}">View all</a>
  </p>`;
}

function categoryRow(property: string, { code, name, rooms, status }: PropertyCategory, nights: readonly CountedNight[] | undefined): Html {
  return html`<tr>
    <th scope="row"><a href="${path`/category/${property}/${code}/edit`}">${name}</a></th>
    <td><code>${code}</code></td>
    <td class="number" data-label="Rooms">${formatNumber(rooms)}</td>
    <td data-label="${FREE_ROOMS_HEAD}">${freeRoomsText(nights)}</td>
    <td>${statusBadge(status)}</td>
    <td class="nowrap">
      <a href="${withQuery(path`/inventories`, { property, category: code })}"
        >Inventories<span class="visually-hidden"> for ${name}</span></a
      >
      <a href="${withQuery(path`/rates`, { property, category: code })}">Rates<span class="visually-hidden"> for ${name}</span></a>
    </td>
  </tr>`;
}

function freeRoomsText(nights: readonly CountedNight[] = []): Html {
  const title = `Next ${NEXT_NIGHT_COUNT} nights`;
  return labelledSparkline({ values: nights.map(roomsLeft), baseline: 0, title, format: formatNumber, unit: "", emptyText: "no data" });
}

function activityPanel({ createdAt, updatedAt, version, timeZone }: Property, activity: PropertyActivity | undefined): Html {
  const at = (time: number | undefined) => relativeMoment(time, timeZone);
  return html`<section class="panel" aria-labelledby="activity">
    <h2 id="activity">Activity</h2>
    <dl class="facts">
      <dt>Last accepted message</dt>
      <dd>${at(activity?.lastMessageAt)}</dd>
      <dt>Last complete inventory update</dt>
      <dd>${at(activity?.lastCompleteSetAt)}</dd>
      <dt>Last complete rate plan update</dt>
      <dd>${at(activity?.lastRatePlanSetAt)}</dd>
      <dt>Created</dt>
      <dd>${at(createdAt)}</dd>
      <dt>Last edited</dt>
      <dd>${at(version === 1 ? undefined : updatedAt)}</dd>
    </dl>
  </section>`;
}

function recentMessages(code: string, messages: readonly MessageRow[]): Html {
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Recent messages</h2>
    ${
      messages.length === 0
        ? html`<p class="muted">No messages yet.</p>`
        : html`<ol class="history">
              ${mapHtml(messages, messageItem)}
            </ol>
            <p><a href="${withQuery(path`/dev/logs`, { property: code })}">View all messages</a></p>`
    }
  </section>`;
}

function messageItem({ id, received_at: at, outcome, dry_run: dry, sender, summary }: MessageRow): Html {
  return html`<li>
    <p>
      <a href="${path`/dev/logs/${id}`}">${relativeMoment(at)}</a> <span class="badge ${OUTCOME_BADGES[outcome]}">${outcome}</span>${
        dry === 1 ? html` <span class="badge">dry run</span>` : emptyHtml
      }${sender === null ? emptyHtml : html` from <bdi>${sender}</bdi>`}
    </p>
    <div class="clamp">${isolateDirections(summary)}</div>
  </li>`;
}

function detailsSection(property: Property): Html {
  return html`<section class="panel" aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="facts">
      <dt>Code</dt>
      <dd><code>${property.code}</code></dd>
      <dt>${FIELD_LABELS.status}</dt>
      <dd>${statusBadge(property.status)}</dd>
      ${mapHtml(recordFacts(property), ([label, value]) => factRow(label, value))}
    </dl>
  </section>`;
}

type RecordFact = [label: string, value: string | undefined];

function recordFacts(property: Property): RecordFact[] {
  const typed = toTypedValues(property);
  const specialFieldFacts = specialFacts(property);
  return PROPERTY_FIELDS.flatMap(
    (name) => specialFieldFacts[name] ?? [[FIELD_LABELS[name], valueLabel(name, typed[name] ?? "", PROPERTY_WORDS) ?? typed[name]]],
  );
}

/** Fields that are formatted specially, combined with others or shown elsewhere on the page. */
function specialFacts(property: Property): Partial<Record<keyof Property, RecordFact[]>> {
  const coordinates = property.latitude && `${property.latitude}, ${property.longitude}`;
  const childAge = rangeText(property.minChildAge?.toString(), property.maxChildAge?.toString(), "up to");
  return {
    name: [],
    status: [],
    propertyType: [[FIELD_LABELS.propertyType, `${choiceLabel(PROPERTY_TYPES, property.propertyType)} (${property.propertyType})`]],
    stars: [[FIELD_LABELS.stars, property.stars?.toString()]],
    street: [
      ["Address", addressLine(property)],
      ["Coordinates", coordinates],
    ],
    postalCode: [],
    city: [],
    country: [],
    region: [],
    latitude: [],
    longitude: [],
    checkInFrom: [["Check-in", rangeText(property.checkInFrom, property.checkInUntil, "until")]],
    checkInUntil: [],
    minChildAge: [["Child age", childAge]],
    maxChildAge: [],
  };
}

function addressLine({ street, postalCode, city, region, country }: Property): string {
  const cityLine = [postalCode, city].filter(Boolean).join(" ");
  return [street, cityLine, region, country && choiceLabel(countries(), country)].filter(Boolean).join("\n");
}

function rangeText(from: string | undefined, to: string | undefined, upTo: "until" | "up to"): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (from !== undefined) return `from ${from}`;
  return to === undefined ? undefined : `${upTo} ${to}`;
}
