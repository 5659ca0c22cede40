import type { DayMask } from "../../../calendar/operation.ts";

/** Accepted spellings of each weekday, starting with Monday. The standard's spelling is first. */
const DAY_SPELLINGS: readonly string[] = [
  "Mon Mo Monday",
  "Tue Tu Tues Tuesday",
  "Weds We Wed Wednesday",
  "Thur Th Thu Thurs Thursday",
  "Fri Fr Friday",
  "Sat Sa Saturday",
  "Sun Su Sunday",
];

export const STANDARD_DAYS: readonly string[] = DAY_SPELLINGS.map((spellings) => spellings.split(" ", 1)[0]!);

const MASKS_BY_STANDARD_NAME: ReadonlyMap<string, DayMask> = new Map(STANDARD_DAYS.map((name, index) => [name, 1 << index]));
const MASKS_BY_OTHER_NAME: ReadonlyMap<string, DayMask> = new Map(
  DAY_SPELLINGS.flatMap((spellings, index) => spellings.split(" ").map((name) => [name.toLowerCase(), 1 << index] as const)),
);
const MAX_DAY_LENGTH = "Wednesday".length;

/** Returns the weekday of an attribute that is a weekday flag. Accepts all listed spellings, ignoring case. */
export function parseWeekday(name: string): DayMask | undefined {
  return MASKS_BY_STANDARD_NAME.get(name) ?? (name.length > MAX_DAY_LENGTH ? undefined : MASKS_BY_OTHER_NAME.get(name.toLowerCase()));
}

export function isStandardDay(name: string): boolean {
  return MASKS_BY_STANDARD_NAME.has(name);
}

/** Whether a name resembles a weekday but isn't one, such as `Wends` or `OnMonday`. */
export function isMisspelledDay(name: string): boolean {
  return MISSPELLED_DAY_PATTERN.test(name);
}

const MISSPELLED_DAY_PATTERN =
  /^(?:is|on|for|apply|valid)?_?(?:mon(?!th|ey)|tue|tus|wed|wen|thu|thr|fri|sat|sun)(?:[a-z]{0,2}|[a-z]{0,5}da?ys?)\d?$/i;
