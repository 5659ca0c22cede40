import { type Night, parseNight } from "../../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import { type Fault, fieldMissing, invalidDate, invalidDates, invalidFlag, invalidValue, invalidWord, note } from "../../ota-error.ts";
import type { Place, Reading, Report, Spot } from "../../report.ts";
import type { Range } from "../../updates/update.ts";
import { nightsFrom, parseDuration } from "./duration.ts";
import { parseBoolean } from "./parse.ts";

/** The same key for the same nights; broken dates match no others. */
export function rangeKey({ range, at }: { range: Range | undefined; at: Place }): string {
  return range ? `${range.first} ${range.last} ${range.days}` : `at ${at.offset}`;
}

/** An element's dates and day flags; `duration` counts when there is no end. */
export type DatesRead = {
  start: string | undefined;
  end: string | undefined;
  duration: string | undefined;
  named: DayMask;
  chosen: DayMask;
  /** Faults of the day flags. */
  bad: Fault[] | undefined;
};

/** The dates before the first attribute. */
export function noDates(): DatesRead {
  return { start: undefined, end: undefined, duration: undefined, named: 0, chosen: 0, bad: undefined };
}

/** Reads dates and day flags, but not `Duration`, which is the nights of a rule and the length of stay of a rate. */
export function readDates({ attributes, report, at }: Reading): DatesRead {
  const dates = noDates();
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (!readDateAttribute(dates, name, attributes.valueAt(index))) warnOfDay(name, { report, at });
  }
  return dates;
}

/** Takes one attribute; answers whether it was a date or a day flag. */
export function readDateAttribute(dates: DatesRead, name: string, value: string): boolean {
  if (name === "Start") dates.start = value;
  else if (name === "End") dates.end = value;
  else return readDay(dates, name, value);
  return true;
}

/** Warns of a day under a name that is not read: ignoring it turns some days into every day. */
export function warnOfDay(name: string, { report, at }: Spot): void {
  if (MEANT_AS_DAY.test(name)) report.warn(note(`${name} is not stored: days of the week are Mon, Tue, Weds, Thur, Fri, Sat, Sun`), at);
}

const MEANT_AS_DAY = /^(?:mon|tues?|wed(?:s|nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?$/i;

/** The standard writes Weds and Thur; other spellings are read too. */
const DAYS: ReadonlyMap<string, DayMask> = new Map([
  ["Mon", 1],
  ["Tue", 2],
  ["Tues", 2],
  ["Weds", 4],
  ["Wed", 4],
  ["Thur", 8],
  ["Thu", 8],
  ["Thurs", 8],
  ["Fri", 16],
  ["Sat", 32],
  ["Sun", 64],
]);
const NOT_STANDARD: ReadonlySet<string> = new Set(["Tues", "Wed", "Thu", "Thurs"]);

function readDay(dates: DatesRead, name: string, value: string): boolean {
  const bit = DAYS.get(name);
  if (bit === undefined) return false;
  const chosen = parseBoolean(value);
  dates.named |= bit;
  if (chosen) dates.chosen |= bit;
  if (chosen === undefined) (dates.bad ??= []).push(invalidFlag(value, name));
  if (NOT_STANDARD.has(name)) dates.named |= ODD_NAME;
  return true;
}

/** A bit that is no day. */
const ODD_NAME = 128;

/** The range of the dates; `undefined` after reporting each fault. */
export function rangeOf(dates: DatesRead, spot: Spot): Range | undefined {
  const { report, at } = spot;
  const first = nightOf("Start", dates.start, spot);
  const last = lastOf(dates, first, spot);
  const days = daysOf(dates, spot);
  if (first === undefined || last === undefined) return undefined;
  if (dates.end === undefined && dates.duration === undefined) report.advise("End is missing and was taken to be Start");
  if (last < first) return void report.error(invalidDates(dates.start!.trim(), dates.end!.trim()), at);
  if (days === undefined) return undefined;
  return first === last && days === EVERY_DAY ? oneNight(first) : { first, last, days };
}

/** The ranges of one night each, by it, kept once: thousands of lines name the same nights, for one category after the other. */
const singles = new Map<Night, Range>();
/** A bound, as dates can be any. */
const SINGLES_KEPT = 2_000;

function oneNight(night: Night): Range {
  const known = singles.get(night);
  if (known) return known;
  if (singles.size >= SINGLES_KEPT) singles.clear();
  const range = { first: night, last: night, days: EVERY_DAY };
  singles.set(night, range);
  return range;
}

type Ends = Pick<DatesRead, "start" | "end" | "duration">;

/** Without `End` the last night of the duration, else the first. */
function lastOf({ start, end, duration }: Ends, first: Night | undefined, spot: Spot): Night | undefined {
  if (end === start && first !== undefined) return first;
  if (end !== undefined) return nightOf("End", end, spot);
  if (duration === undefined || first === undefined) return first;
  const length = parseDuration(duration);
  const nights = length && nightsFrom(first, length);
  if (!nights) spot.report.error(invalidWord(duration, "Duration", "such as P3N, P1W or P1M"), spot.at);
  return nights ? first + nights - 1 : undefined;
}

/** The dates of an element without day flags. */
export function endsIn(attributes: Attributes): Ends {
  return { start: attributes.get("Start"), end: attributes.get("End"), duration: attributes.get("Duration") };
}

/** Nights with ends that may be open. */
export type DateRange = { first: Night | undefined; last: Night | undefined };

/** Reads dates of which either end may be missing, and reports their faults. */
export function dateRangeOf(dates: Ends, spot: Spot): DateRange {
  const { start, end, duration } = dates;
  adviseOfDuration(dates, spot.report);
  const first = start === undefined ? undefined : nightOf("Start", start, spot);
  const last = end === undefined && duration === undefined ? undefined : lastOf(dates, first, spot);
  if (first !== undefined && last !== undefined && last < first) spot.report.error(invalidDates(start!.trim(), end!.trim()), spot.at);
  return { first, last };
}

/** Nothing begins where a duration has no start. */
export function adviseOfDuration({ start, duration }: Ends, report: Report): void {
  if (start === undefined && duration !== undefined) report.advise("Duration without Start was not used");
}

function nightOf(field: string, text: string | undefined, { report, at }: Spot): Night | undefined {
  if (text === undefined) return void report.error(fieldMissing(field), at);
  const night = parseNight(text) ?? parseLoosely(text, report);
  if (night === undefined) report.error(invalidDate(text, field), at);
  return night;
}

const LOOSE = /^\s*(\d{4}-\d{2}-\d{2})(T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?\s*$/;

/** Whether the text is a date, perhaps with a time of day or zone, which are cut off. */
export function looksLikeDate(text: string): boolean {
  return LOOSE.test(text);
}

/** Cuts off white space, time of day and time zone. `xs:date` allows a zone, and some libraries always write one. */
function parseLoosely(text: string, report: Report): Night | undefined {
  const parts = LOOSE.exec(text);
  const night = parts ? parseNight(parts[1]!) : undefined;
  if (night === undefined) return undefined;
  if (parts![2]) report.advise("the time of day in a date was cut off");
  else if (parts![3]) report.advise("the time zone of a date was cut off");
  return night;
}

/** No day named: every day. Some chosen: only those. Only unwanted ones named: all the others. `undefined` after reporting faults. */
export function daysOf(dates: DatesRead, { report, at }: Spot): DayMask | undefined {
  if (dates.named === 0) return EVERY_DAY;
  if (dates.named & ODD_NAME) report.advise("day flags are named Tue, Weds and Thur in the standard");
  for (const fault of dates.bad ?? []) report.error(fault, at);
  if (dates.bad) return undefined;
  const named = dates.named & EVERY_DAY;
  if (dates.chosen !== 0) return dates.chosen;
  if (named === EVERY_DAY) return void report.error(invalidValue("false", "every day of the week"), at);
  return EVERY_DAY & ~named;
}
