import { categoryCode, propertyCode } from "../../src/cli/seed/records.ts";
import type { Load, Request } from "./load.ts";

/** Dates from tomorrow on, as `YYYY-MM-DD`. */
export function day(offset: number): string {
  return new Date(Date.now() + (offset + 1) * 86_400_000).toISOString().slice(0, 10);
}

/** One line sets the count of one category from one day to another. */
export type CountLine = { category: number; first: number; last: number; count: number };

export function countsMessage(property: number, lines: readonly CountLine[]): string {
  const inventories = lines.map(
    ({ category, first, last, count }) =>
      `<Inventory><StatusApplicationControl Start="${day(first)}" End="${day(last)}" InvTypeCode="${categoryCode(category)}"/>` +
      `<InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`,
  );
  const open = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="bench">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}<Inventories HotelCode="${propertyCode(property)}">${inventories.join("\n")}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

/** One to three nights of one category. */
export function deltaMessage(property: number, turn: number): string {
  const first = (property * 7 + turn * 3) % 300;
  return countsMessage(property, [{ category: turn % 10, first, last: first + (turn % 3), count: (turn * 5 + property) % 10 }]);
}

/** 10 categories, a range of 365 nights each. */
export function yearMessage(property: number, turn: number): string {
  return countsMessage(
    property,
    Array.from({ length: 10 }, (_, category) => ({ category, first: 0, last: 364, count: (category + turn) % 10 })),
  );
}

/** 3,650 lines of one night: 10 categories, 365 nights. */
export function linesMessage(property: number, turn: number): string {
  const lines: CountLine[] = [];
  for (let category = 0; category < 10; category++) {
    for (let night = 0; night < 365; night++) lines.push({ category, first: night, last: night, count: (category + night + turn) % 10 });
  }
  return countsMessage(property, lines);
}

/** Messages that are sent in turns, of so many properties on so many connections. */
export type Turns = { properties: number; connections: number; bodies: readonly string[] };

/** Short ones: two about each property. */
export const DELTAS: Turns = { properties: 200, connections: 32, bodies: inTurns(deltaMessage, { properties: 200, count: 400 }) };
/** Whole years, as ranges. */
export const YEARS: Turns = { properties: 8, connections: 4, bodies: inTurns(yearMessage, { properties: 8, count: 16 }) };

/** So many messages, about one property after the other. */
export function inTurns(message: typeof deltaMessage, { properties, count }: { properties: number; count: number }): string[] {
  return Array.from({ length: count }, (_, turn) => message(turn % properties, turn));
}

/** A message of a sender with these headers. */
export function channelPost(body: string, headers: Request["headers"]): Request {
  return { method: "POST", path: "/channel", headers, body };
}

/** What is expected of every answer. */
export const STORED = { status: 200, contains: "<Success/>" } satisfies Partial<Load>;

/** As long as the answers of the service. */
export const ANSWER = `<?xml version="1.0" encoding="UTF-8"?>\n<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05">${STORED.contains}</OTA_HotelInvCountNotifRS>`;
