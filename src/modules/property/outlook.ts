import { todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { categoryNights, type CountNight } from "../../grid/count-night.ts";
import { inventoryLane } from "../../grid/lane.ts";
import { stripPicture } from "../../grid/strip.ts";
import { readNights } from "../../journal/nights.ts";
import { type Html, html } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import type { Property } from "./property.ts";

const NIGHTS = 14;

/** What is free in the next two weeks, by the code of the category; a category of which nothing was received is missing. */
export type Outlook = ReadonlyMap<string, readonly CountNight[]>;

/** Reads it from today at the property on; `now` in milliseconds since 1970. */
export async function readOutlook(database: Database, property: Property, now: number): Promise<Outlook> {
  const today = todayIn(property.timeZone, now);
  const lanes = await readNights(database, { property: property.code, kind: "inventory", first: today, last: today + NIGHTS - 1 });
  const ofCategory = Map.groupBy(lanes, ({ category }) => category);
  return new Map(
    [...ofCategory].map(([category, all]) => [
      category,
      categoryNights(
        all.map((lane) => inventoryLane(lane, NIGHTS)),
        NIGHTS,
      ),
    ]),
  );
}

/** The nights of a category as a small picture, with the fewest and the most free rooms. */
export function outlookPicture(nights: readonly CountNight[] | undefined): Html {
  const values = (nights ?? []).map(({ closed, available }) => (closed ? 0 : available));
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return html`<span class="muted">nothing received</span>`;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const range = low === high ? amount(low) : `${amount(low)}–${amount(high)}`;
  return html`<span class="outlook">${stripPicture({ values, foot: 0, title: `The next ${NIGHTS} nights` })} ${range}</span>`;
}
