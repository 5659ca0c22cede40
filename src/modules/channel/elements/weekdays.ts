import type { DayMask } from "../../../calendar/operation.ts";

/** Accepted spellings of each weekday, starting with Monday. The standard's spelling is first. */
const SPELLINGS: readonly string[] = [
  "Mon Mo Monday",
  "Tue Tu Tues Tuesday",
  "Weds We Wed Wednesday",
  "Thur Th Thu Thurs Thursday",
  "Fri Fr Friday",
  "Sat Sa Saturday",
  "Sun Su Sunday",
];

export const STANDARD_DAYS: readonly string[] = SPELLINGS.map((spellings) => spellings.split(" ", 1)[0]!);

const STANDARD: ReadonlyMap<string, DayMask> = new Map(STANDARD_DAYS.map((name, index) => [name, 1 << index]));
const OTHERS: ReadonlyMap<string, DayMask> = new Map(
  SPELLINGS.flatMap((spellings, index) => spellings.split(" ").map((name) => [name.toLowerCase(), 1 << index] as const)),
);
const LONGEST = "Wednesday".length;

/** Returns the weekday of an attribute that is a weekday flag. Accepts all listed spellings, ignoring case. */
export function parseWeekday(name: string): DayMask | undefined {
  return STANDARD.get(name) ?? (name.length > LONGEST ? undefined : OTHERS.get(name.toLowerCase()));
}

export function isStandardDay(name: string): boolean {
  return STANDARD.has(name);
}

/** Whether a name resembles a weekday but isn't one, such as `Wends` or `OnMonday`. */
export function isMisspelledDay(name: string): boolean {
  return MISSPELLED_DAY.test(name);
}

const MISSPELLED_DAY =
  /^(?:is|on|for|apply|valid)?_?(?:mon(?!th|ey)|tue|tus|wed|wen|thu|thr|fri|sat|sun)(?:[a-z]{0,2}|[a-z]{0,5}da?ys?)\d?$/i;
