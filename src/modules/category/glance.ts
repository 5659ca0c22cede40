import { todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { type Day, daysFrom } from "../../grid/day.ts";
import { NEXT_NIGHTS, readNextNights } from "../../grid/next-nights.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Property } from "../property/property.ts";
import type { Category } from "./category.ts";

/** One of the next nights: rooms free, `undefined` when nothing was received. */
type GlanceNight = { day: Day; available: number | undefined; closed: boolean };

type Asked = { property: Property; category: Category; now: number };

/** The next two weeks of a category, from today at the property. */
export async function readGlance(database: Database, { property, category: { code }, now }: Asked): Promise<GlanceNight[]> {
  const today = todayIn(property.timeZone, now);
  const nights = (await readNextNights(database, { property, categories: [code], now })).get(code) ?? [];
  return daysFrom(today, NEXT_NIGHTS, today).map((day, index) => ({
    day,
    available: nights[index]?.available,
    closed: nights[index]?.closed ?? false,
  }));
}

/** The next nights side by side: a count, `closed`, or a dash when nothing was received. */
export function glance(nights: readonly GlanceNight[], { hotelCode, code }: Category): Html {
  const to = withQuery(path`/inventories`, { property: hotelCode, category: code });
  return html`<section aria-labelledby="glance">
    <h2 id="glance">The next nights</h2>
    <ol class="nights">
      ${each(nights, night)}
    </ol>
    <p class="small muted">
      Rooms free for each night; <abbr title="nothing received">–</abbr> is nothing received.
      <a href="${to}">All nights of this category</a>
    </p>
  </section>`;
}

function night({ day, available, closed }: GlanceNight): Html {
  const state = stateOf(available, closed);
  const weekend = day.weekend ? " weekend" : "";
  return html`<li class="${state + weekend}">
    <time class="when" datetime="${day.iso}">${day.today ? "Today" : `${day.weekday} ${day.date}`}</time>
    <strong>${available ?? html`<span aria-hidden="true">–</span><span class="visually-hidden">nothing received</span>`}</strong>
    ${closed ? html`closed` : nothing}
  </li>`;
}

function stateOf(available: number | undefined, closed: boolean): string {
  if (closed) return "sold";
  if (available === undefined) return "none";
  return available === 0 ? "sold" : "open";
}
