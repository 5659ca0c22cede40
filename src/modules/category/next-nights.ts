import { todayIn } from "../../calendar/night.ts";
import { isClosedState, type SaleState } from "../../calendar/verdict.ts";
import type { Database } from "../../db/database.ts";
import { type Day, daysFrom } from "../../grid/day.ts";
import { NEXT_NIGHT_COUNT, readNextNights } from "../../grid/next-nights.ts";
import type { Category } from "../../records/category/category.ts";
import type { Property } from "../../records/property/property.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import { hiddenFields } from "../../web/parts/fields.ts";
import { path, withQuery } from "../../web/path.ts";

export type NextNight = { day: Day; available: number | undefined; state: SaleState };

type NightsQuery = { property: Property; category: Category; now: number };

export async function readCategoryNights(database: Database, { property, category, now }: NightsQuery): Promise<NextNight[]> {
  const today = todayIn(property.timeZone, now);
  const nights = (await readNextNights(database, { property, categories: [category], now })).get(category.code)!;
  const days = daysFrom(today, NEXT_NIGHT_COUNT, today);
  return nights.map(({ counts, verdict }, index) => ({ day: days[index]!, available: counts.available, state: verdict.state }));
}

export function nextNights(nights: readonly NextNight[], { hotelCode, code }: Category): Html {
  const allNights = withQuery(path`/inventories`, { property: hotelCode, category: code });
  return html`<section aria-labelledby="next-nights">
    <h2 id="next-nights">Next ${NEXT_NIGHT_COUNT} nights</h2>
    <ol class="nights">
      ${mapHtml(nights, nightItem)}
    </ol>
    <p class="small muted">
      Free rooms per night (<abbr title="no data">–</abbr> = no data).
      <a href="${allNights}">View all nights</a>
    </p>
    <form class="filters" method="get" action="${path`/inventories`}">
      ${hiddenFields({ property: hotelCode, nightCategory: code })}
      <div><label for="f-night">Night</label><input id="f-night" name="night" type="date" required /></div>
      <div><button type="submit">Show night</button></div>
    </form>
  </section>`;
}

function nightItem({ day, available, state }: NextNight): Html {
  const weekend = day.weekend ? " weekend" : "";
  return html`<li class="${stateClass(state) + weekend}">
    <time class="when" datetime="${day.iso}">${day.today ? "Today" : `${day.weekday} ${day.date}`}</time>
    <strong>${available ?? html`<span aria-hidden="true">–</span><span class="visually-hidden">no data</span>`}</strong>
    ${isClosedState(state) ? html`closed` : emptyHtml}
  </li>`;
}

function stateClass(state: SaleState): string {
  if (isClosedState(state) || state === "sold out") return "sold";
  return state === "no count" ? "none" : "open";
}
