/** Reads a whole number from 0 to `max` without sign, point or exponent; white space around it is allowed. */
export function parseWhole(text: string, max: number): number | undefined {
  const digits = text.trim();
  if (digits.length === 0 || digits.length > 15) return undefined;
  let value = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}

/** `1`, `0`, `true`, `false` in any case. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === "1" || word === "true") return true;
  if (word === "0" || word === "false") return false;
  return undefined;
}

/** How many nights a duration has: `P3N` as OpenTravel writes it, `P3D` or `P1W`; none is none. */
export function parseNights(text: string): number | undefined {
  const parts = /^P(\d{1,4})([NDW])$/.exec(text.trim());
  return parts ? Number(parts[1]) * (parts[2] === "W" ? DAYS_OF_WEEK : 1) || undefined : undefined;
}

const DAYS_OF_WEEK = 7;

/** Days of a booking window: a whole number, or the duration that the OpenTravel schema asks for, `P3D` or `PT72H`, or weeks, `P2W`. */
export function parseDayOffset(text: string): number | undefined {
  const weeks = /^P(\d{1,4})W$/.exec(text.trim());
  if (weeks) return parseWhole(String(Number(weeks[1]) * DAYS_OF_WEEK), MAX_DAY_OFFSET);
  const duration = DURATION.exec(text.trim());
  if (!duration) return parseWhole(text, MAX_DAY_OFFSET);
  const hours = Number(duration[1] ?? 0) * HOURS_OF_DAY + Number(duration[2] ?? 0);
  return hours % HOURS_OF_DAY === 0 ? parseWhole(String(hours / HOURS_OF_DAY), MAX_DAY_OFFSET) : undefined;
}

/** Days and hours; minutes and seconds only where they are none. */
const DURATION = /^P(?!$)(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:0+M)?(?:0+S)?)?$/;
const HOURS_OF_DAY = 24;

const MAX_DAY_OFFSET = 9_999;

/** Limits of what is stored for a night. */
export const MAX_COUNT = 9_999;
export const MAX_STAY = 999;
export const MAX_GUESTS = 99;
export const MAX_CODE_LENGTH = 64;
