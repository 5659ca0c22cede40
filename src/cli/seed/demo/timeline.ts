import { DAY_MS, type Night, todayIn, weekdayIndex } from "../../../calendar/night.ts";
import { type Hotel, HOTELS, SEASON_FACTORS, type RoomType, roomTypesFor } from "./hotels.ts";
import {
  CLOSE_ELEMENT,
  type CountLine,
  countsMessage,
  limitsMessage,
  monthsFrom,
  NO_ARRIVAL_ELEMENT,
  priceChange,
  pricesMessage,
  TWO_NIGHTS_ELEMENT,
  weekendsIn,
} from "./messages.ts";

/** A connection, its property code prefix, and whether it wraps messages in SOAP. */
export const CONNECTIONS = [
  { name: "alpine-pms", hotels: "ALP", soap: false },
  { name: "harbour-pms", hotels: "HAR", soap: false },
  { name: "channel-x", hotels: "CTY", soap: true },
  { name: "innkeeper", hotels: "IND", soap: false },
] as const;

/** An event in the demo week. Times are in milliseconds since 1970. */
export type DemoEvent =
  | { at: number; type: "message"; sender: string; xml: string; soap: boolean; secret: "right" | "wrong" }
  | { at: number; type: "request"; url: string }
  | { at: number; type: "report"; message: string };

/** A hotel that has received no messages. */
const NEW_HOTEL = "IND07";
/** Hotels whose messages stopped two days ago. */
const SILENT_HOTELS = ["HAR08", "HAR09", "HAR10", "IND06"];
/** Hotels closed to the public next weekend. */
const CLOSED_HOTELS = ["CTY09", "ALP03"];

const TIMELINE_DAYS = 7;
const SILENT_DAYS = 2;
const MINUTE_MS = 60_000;
const FRIDAY_INDEX = 4;

/** A seeded random generator, so that the demo is the same every day. Returns integers from 0 to `below` - 1. */
type RandomBelow = (below: number) => number;

function seededRandom(seed: number): RandomBelow {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns the events of the week before `now`, in order. */
export function demoEvents(now: number): DemoEvent[] {
  const random = seededRandom(20_261_126);
  const events = HOTELS.filter(({ code }) => code !== NEW_HOTEL).flatMap((hotel, index) => hotelEvents(hotel, { index, now, random }));
  return [...events, ...faultyMessages(now), ...errorEvents(now)].filter(({ at }) => at < now).toSorted((a, b) => a.at - b.at);
}

type HotelContext = { index: number; now: number; random: RandomBelow };

function hotelEvents(hotel: Hotel, { index, now, random }: HotelContext): DemoEvent[] {
  const start = now - TIMELINE_DAYS * DAY_MS + index * 2 * MINUTE_MS;
  const today = todayIn("UTC", start);
  const months = monthsFrom(today, 12);
  const nextFriday = today + ((FRIDAY_INDEX - weekdayIndex(today) + 7) % 7);
  const counts = roomTypesFor(hotel).flatMap((room) =>
    months.map((nights) => ({ category: room.code, nights, count: freeRooms(room, random) })),
  );
  const send = eventFactory(hotel);
  const limits = [
    { nights: { first: nextFriday, last: nextFriday }, content: NO_ARRIVAL_ELEMENT, category: "DBL" },
    ...weekendsIn(nextFriday, 26).map((nights) => ({ nights, plan: "BAR", category: "DBL", content: TWO_NIGHTS_ELEMENT })),
  ];
  const initialMessages = [
    countsMessage(hotel.code, counts, "complete set"),
    pricesMessage(hotel, months),
    limitsMessage(hotel.code, limits),
  ];
  const updates = Array.from(
    { length: TIMELINE_DAYS * 5 },
    () => start + 10 * MINUTE_MS + random(TIMELINE_DAYS * 24 * 60 - 90) * MINUTE_MS,
  );
  const end = SILENT_HOTELS.includes(hotel.code) ? now - SILENT_DAYS * DAY_MS : now;
  return [
    ...initialMessages.map((xml, step) => send(start + step * MINUTE_MS, xml)),
    ...closingMessages(hotel, now).map((xml) => send(now - 20 * 60 * MINUTE_MS, xml)),
    ...updates.filter((at) => at < end).map((at) => send(at, updateMessage(hotel, todayIn("UTC", at), random))),
  ];
}

function eventFactory({ code }: Hotel): (at: number, xml: string) => DemoEvent {
  const connection = CONNECTIONS.find(({ hotels }) => code.startsWith(hotels))!;
  return (at, xml) => ({ at, type: "message", sender: connection.name, soap: connection.soap, secret: "right", xml });
}

function freeRooms({ rooms }: RoomType, random: RandomBelow): number {
  return Math.max(1, Math.round(rooms * (0.5 + random(45) / 100)));
}

/** Usually returns a booking or cancellation, sometimes a new price or a closed night. */
function updateMessage(hotel: Hotel, today: Night, random: RandomBelow): string {
  const types = roomTypesFor(hotel);
  const room = types[random(types.length)]!;
  const first = today + random(60);
  const nights = { first, last: first + random(3) };
  const kind = random(10);
  if (kind === 0) return limitsMessage(hotel.code, [{ category: room.code, nights, content: CLOSE_ELEMENT }]);
  if (kind <= 2) return priceChange(hotel, { room, nights, price: Math.round((usualPrice(hotel, room, first) * (90 + random(30))) / 100) });
  const lines: CountLine[] = [{ category: room.code, nights, count: kind === 3 ? 0 : random(room.rooms + 1) }];
  return countsMessage(hotel.code, lines, "changes");
}

function usualPrice({ base, season }: Hotel, { factor }: RoomType, first: Night): number {
  return base * factor * SEASON_FACTORS[season][new Date(first * DAY_MS).getUTCMonth()]!;
}

function closingMessages(hotel: Hotel, now: number): string[] {
  if (!CLOSED_HOTELS.includes(hotel.code)) return [];
  const today = todayIn("UTC", now);
  const nextFriday = today + ((FRIDAY_INDEX - weekdayIndex(today) + 7) % 7);
  const nights = { first: nextFriday, last: nextFriday + 1 };
  return [
    limitsMessage(
      hotel.code,
      roomTypesFor(hotel).map(({ code }) => ({ category: code, nights, content: CLOSE_ELEMENT })),
    ),
  ];
}

/** Returns messages with typical errors: unmapped codes, reversed dates, too many rooms and an outdated secret. */
function faultyMessages(now: number): DemoEvent[] {
  const today = todayIn("UTC", now);
  const nights = { first: today + 3, last: today + 9 };
  const hours = (count: number) => now - count * 60 * MINUTE_MS;
  const faultyMessage = (sender: string, at: number, xml: string): DemoEvent => ({
    ...{ at, type: "message", sender, xml, secret: "right" },
    soap: sender === "channel-x",
  });
  return [
    ...Array.from({ length: 24 }, (_, index) => {
      const hotel = `CTY${String(1 + (index % 6)).padStart(2, "0")}`;
      return faultyMessage("channel-x", hours(1 + index * 3), countsMessage(hotel, [{ category: "SUI", nights, count: 2 }], "changes"));
    }),
    ...Array.from({ length: 5 }, (_, index) => {
      const reversedDates = { first: nights.last, last: nights.first };
      return faultyMessage(
        "harbour-pms",
        hours(2 + index * 9),
        countsMessage("HAR03", [{ category: "DBL", nights: reversedDates, count: 4 }], "changes"),
      );
    }),
    ...Array.from({ length: 6 }, (_, index) =>
      faultyMessage("alpine-pms", hours(4 + index * 11), countsMessage("ALP06", [{ category: "SGL", nights, count: 12 }], "changes")),
    ),
    ...Array.from({ length: 3 }, (_, index): DemoEvent => {
      const xml = countsMessage("IND02", [{ category: "DBL", nights, count: 3 }], "changes");
      return { at: hours(5 + index), type: "message", sender: "innkeeper", xml, soap: false, secret: "wrong" };
    }),
  ];
}

const UNKNOWN_PATHS = ["/wp-login.php", "/.env", "/robots.txt", "/admin/config.php", "/hotel/ALP01"];

function errorEvents(now: number): DemoEvent[] {
  return [
    ...UNKNOWN_PATHS.map((url, index): DemoEvent => ({ at: now - (3 + index * 7) * 60 * MINUTE_MS, type: "request", url })),
    { at: now - 26 * 60 * MINUTE_MS, type: "report", message: "TypeError: row is undefined" },
    { at: now - 50 * MINUTE_MS, type: "report", message: "TypeError: row is undefined" },
  ];
}
