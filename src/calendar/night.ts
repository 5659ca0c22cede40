/** A hotel night by its arrival date, as days since 1970-01-01. */
export type Night = number;

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Parses `YYYY-MM-DD`. Returns `undefined` for any other format and for invalid dates such as 2027-02-30. */
export function parseNight(text: string): Night | undefined {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  return daysSinceEpoch(year, month, day);
}

/** Few different nights are formatted, each many times. A lookup is 80 times as fast. */
const formatted = new Map<Night, string>();
const MAX_FORMATTED = 2_000;

/** Formats a night as `YYYY-MM-DD`. */
export function formatNight(night: Night): string {
  const known = formatted.get(night);
  if (known !== undefined) return known;
  const text = new Date(night * DAY_MS).toISOString().slice(0, 10);
  if (formatted.size >= MAX_FORMATTED) formatted.clear();
  formatted.set(night, text);
  return text;
}

/** Monday is 0, Sunday 6. */
export function weekdayOf(night: Night): number {
  return (((night + THURSDAY) % 7) + 7) % 7;
}

/** Monday is 1, Tuesday 2, Sunday 64. */
export function weekdayBit(night: Night): number {
  return 1 << weekdayOf(night);
}

/** Rotates `days`, bits of weekdays, so that bit 0 is the weekday of `night`. */
export function weekFrom(night: Night, days: number): number {
  const before = weekdayOf(night);
  return ((days >> before) | (days << (7 - before))) & 127;
}

/** 1970-01-01 was a Thursday, three days after a Monday. */
const THURSDAY = 3;

/** The date in an IANA time zone at `now`, in milliseconds since 1970. Throws `RangeError` for an unknown zone. */
export function todayIn(timeZone: string, now: number): Night {
  const known = today.get(timeZone);
  if (known && now >= known.from && now < known.until) return known.night;
  const found = findToday(timeZone, now);
  if (today.size >= MAX_ZONES) today.clear();
  today.set(timeZone, found);
  return found.night;
}

type Today = { night: Night; from: number; until: number };

/** More than there are zones. */
const MAX_ZONES = 1_000;
const today = new Map<string, Today>();

function findToday(timeZone: string, now: number): Today {
  const start = Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(timeZone).startOfDay();
  const { year, month, day, epochMilliseconds } = start;
  return { night: daysSinceEpoch(year, month, day), from: epochMilliseconds, until: start.add({ days: 1 }).startOfDay().epochMilliseconds };
}

function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Proleptic Gregorian calendar. Years are counted from March so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): Night {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
