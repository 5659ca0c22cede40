import { categoryCode, propertyCode } from "../../src/cli/seed/records.ts";
import type { Headers, Load, Request } from "./load.ts";
import { CREDENTIAL } from "./service.ts";

/** Returns the date `offset` days after tomorrow, as `YYYY-MM-DD`. */
export function day(offset: number): string {
  return new Date(Date.now() + (offset + 1) * 86_400_000).toISOString().slice(0, 10);
}

/** `first` and `last` are counted in days after tomorrow. */
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

export function deltaMessage(property: number, turn: number): string {
  const first = (property * 7 + turn * 3) % 300;
  return countsMessage(property, [{ category: turn % 10, first, last: first + (turn % 3), count: (turn * 5 + property) % 10 }]);
}

export function yearMessage(property: number, turn: number): string {
  return countsMessage(
    property,
    Array.from({ length: 10 }, (_, category) => ({ category, first: 0, last: 364, count: (category + turn) % 10 })),
  );
}

export function linesMessage(property: number, turn: number): string {
  const lines: CountLine[] = [];
  for (let category = 0; category < 10; category++) {
    for (let night = 0; night < 365; night++) lines.push({ category, first: night, last: night, count: (category + night + turn) % 10 });
  }
  return countsMessage(property, lines);
}

export function messagesInTurn(message: typeof deltaMessage, { properties, count }: { properties: number; count: number }): string[] {
  return Array.from({ length: count }, (_, turn) => message(turn % properties, turn));
}

export function channelPost(body: string, headers: Headers): Request {
  return { method: "POST", path: "/channel", headers, body };
}

export const STORED = { status: 200, contains: "<Success/>" } satisfies Partial<Load>;

export const RESPONSE = `<?xml version="1.0" encoding="UTF-8"?>\n<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05">${STORED.contains}</OTA_HotelInvCountNotifRS>`;

/** Sends distinctive counts and checks that the page shows them. */
export async function checkReadBack(url: string, headers: Headers): Promise<void> {
  const body = countsMessage(0, [{ category: 0, first: 0, last: 6, count: 4321 }]);
  const response = await fetch(`${url}/channel`, { method: "POST", headers, body });
  if (!(await response.text()).includes(STORED.contains)) throw new Error("the message to read back was refused");
  const query = new URLSearchParams({ property: propertyCode(0), category: categoryCode(0), from: day(0), days: "7", format: "csv" });
  const page = await fetch(`${url}/inventories?${query.toString()}`, { headers: CREDENTIAL });
  const found = (await page.text()).match(/\b4321\b/g)?.length ?? 0;
  if (found < 7) throw new Error(`only ${found} of 7 nights could be read back`);
}
