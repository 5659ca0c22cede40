import { type Night, parseNight } from "../../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import { isMisspelledDay, isStandardDay, STANDARD_DAYS, parseWeekday } from "../../elements/weekdays.ts";
import { type Fault, fieldMissing, invalidDate, invalidDates, invalidValue, invalidWord, ruleBroken, unknownDay } from "../../ota-error.ts";
import type { SourceLocation, ElementContext, MessageReport, ReportContext } from "../../report.ts";
import type { WeekdayRange } from "../../updates/update.ts";
import { nightsFrom, parseDuration } from "./duration.ts";
import { parseBoolean } from "./values.ts";

/** Returns a key that is the same for the same nights. A range with invalid dates gets a unique key. */
export function rangeKey({ range, at }: { range: WeekdayRange | undefined; at: SourceLocation }): string {
  return range ? `${range.first} ${range.last} ${range.days}` : `at ${at.offset}`;
}

/** `duration` is used only if there is no end. */
type DateAttributes = {
  start: string | undefined;
  end: string | undefined;
  duration: string | undefined;
  /** The sender's attribute names for the two dates. Default: `Start` and `End`. */
  names?: readonly [start: string, end: string];
};

/** An element's dates and weekday flags. */
export type ParsedDates = DateAttributes & {
  /** Weekdays that have a flag. Contains `NONSTANDARD_NAME_BIT` if such a flag has a nonstandard name. */
  flaggedDays: DayMask;
  trueDays: DayMask;
  dayFaults: readonly Fault[];
};

export function newDates(): ParsedDates {
  return { start: undefined, end: undefined, duration: undefined, flaggedDays: 0, trueDays: 0, dayFaults: NO_FAULTS };
}

const NO_FAULTS: readonly Fault[] = [];

/** Reads dates and weekday flags, but not `Duration`: in rules it is a number of nights, in rates the length of stay. */
export function readDates({ attributes, report, at }: ElementContext): ParsedDates {
  const dates = newDates();
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (!readDateAttribute(dates, name, attributes.valueAt(index))) refuseMisspelledDay(name, { report, at });
  }
  return dates;
}

/** Sets a date or weekday flag from an attribute. Returns false if the attribute is neither. */
export function readDateAttribute(dates: ParsedDates, name: string, value: string): boolean {
  if (name === "Start") dates.start = value;
  else if (name === "End") dates.end = value;
  else return readDay(dates, name, value);
  return true;
}

/** Refuses a misspelled weekday, because ignoring it would apply the line to every day. */
export function refuseMisspelledDay(name: string, { report, at }: ReportContext): void {
  if (isMisspelledDay(name)) report.error(unknownDay(name, STANDARD_DAYS.join(", ")), at);
}

/** Additional bit for a weekday flag that has a nonstandard name. */
const NONSTANDARD_NAME_BIT = 128;

function readDay(dates: ParsedDates, name: string, value: string): boolean {
  const day = parseWeekday(name);
  if (day === undefined) return false;
  const isIncluded = parseDayFlag(value);
  dates.flaggedDays |= isStandardDay(name) ? day : day | NONSTANDARD_NAME_BIT;
  if (isIncluded) dates.trueDays |= day;
  if (isIncluded === undefined) dates.dayFaults = [...dates.dayFaults, invalidWord(value, name, "1, 0, true, false, Y, N")];
  return true;
}

/** Parses a weekday flag. Some senders use Y and N. */
function parseDayFlag(value: string): boolean | undefined {
  const word = value.trim().toLowerCase();
  if (word === "y" || word === "yes") return true;
  return word === "n" || word === "no" ? false : parseBoolean(word);
}

/** Returns the range of nights, or `undefined` after reporting all faults. */
export function toRange(dates: ParsedDates, spot: ReportContext): WeekdayRange | undefined {
  const first = readNight(dates.names?.[0] ?? "Start", dates.start, spot);
  const last = findLastNight(dates, first, spot);
  const days = toDayMask(dates, spot);
  if (first === undefined || last === undefined) return undefined;
  if (dates.end === undefined && dates.duration === undefined) spot.report.advise("End is missing; Start is used");
  if (last < first) reportOrder(dates, spot);
  return last < first || days === undefined ? undefined : { first, last, days };
}

function reportOrder({ start, end }: DateAttributes, { report, at }: ReportContext): void {
  report.error(invalidDates(start!.trim(), end!.trim()), at);
}

/** Returns the last night: `End` if it was sent, otherwise the last night of the duration, otherwise the first night. */
function findLastNight({ start, end, duration, names }: DateAttributes, first: Night | undefined, spot: ReportContext): Night | undefined {
  if (end === start && first !== undefined) return first;
  if (end !== undefined) return readNight(names?.[1] ?? "End", end, spot);
  if (duration === undefined || first === undefined) return first;
  const length = parseDuration(duration);
  const nights = length && nightsFrom(first, length);
  if (!nights) spot.report.error(invalidWord(duration, "Duration", "such as P3N, P1W or P1M"), spot.at);
  return nights ? first + nights - 1 : undefined;
}

export function readEnds(attributes: Attributes): DateAttributes {
  return { start: attributes.get("Start"), end: attributes.get("End"), duration: attributes.get("Duration") };
}

/** Nights from `first` to `last`. If a date is missing, the range is open at that end. */
export type DateRange = { first: Night | undefined; last: Night | undefined };

export function toDateRange(dates: DateAttributes, spot: ReportContext): DateRange {
  const { start, end, duration } = dates;
  adviseOfDuration(dates, spot.report);
  const first = start === undefined ? undefined : readNight("Start", start, spot);
  const last = end === undefined && duration === undefined ? undefined : findLastNight(dates, first, spot);
  if (first !== undefined && last !== undefined && last < first) reportOrder(dates, spot);
  return { first, last };
}

export function adviseOfDuration({ start, duration }: DateAttributes, report: MessageReport): void {
  if (start === undefined && duration !== undefined) report.advise("Duration without Start is ignored");
}

function readNight(field: string, text: string | undefined, { report, at }: ReportContext): Night | undefined {
  if (text === undefined) return void report.error(fieldMissing(field), at);
  const night = parseNight(text) ?? parseLoosely(text, report);
  if (night === undefined) report.error(invalidDate(text, field), at);
  return night;
}

const LOOSE_DATE_PATTERN = /^\s*(\d{4}-\d{2}-\d{2})(T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?\s*$/;

/** Parses a date, ignoring white space, time of day and time zone. `xs:date` allows a time zone, and some libraries always write one. */
function parseLoosely(text: string, report: MessageReport): Night | undefined {
  const [, date, time, zone] = LOOSE_DATE_PATTERN.exec(text) ?? [];
  const night = date === undefined ? undefined : parseNight(date);
  if (night === undefined) return undefined;
  if (time) report.advise("the time of day in a date was ignored");
  else if (zone) report.advise("the time zone in a date was ignored");
  return night;
}

/** Returns the weekdays set to true or, if there are none, all weekdays not set to false. Returns `undefined` after reporting faults. */
export function toDayMask({ flaggedDays, trueDays, dayFaults }: ParsedDates, { report, at }: ReportContext): DayMask | undefined {
  if (flaggedDays & NONSTANDARD_NAME_BIT) report.advise("the standard names for these weekdays are Tue, Weds and Thur");
  for (const fault of dayFaults) report.error(fault, at);
  if (dayFaults.length > 0) return undefined;
  if (trueDays !== 0) return trueDays;
  const days = EVERY_DAY & ~flaggedDays;
  return days === 0 ? void report.error(invalidValue("false", "every day of the week"), at) : days;
}

/** Checks that a line has both dates, and neither `Duration` nor weekday flags, as AlpineBits requires. */
export function checkPeriod(dates: ParsedDates, spot: ReportContext): void {
  checkEnds(dates, spot);
  if (dates.flaggedDays !== 0) spot.report.error(ruleBroken("AlpineBits does not allow weekdays here"), spot.at);
}

/** Like `checkPeriod`, but allows weekday flags. */
export function checkEnds({ start, end, duration }: ParsedDates, { report, at }: ReportContext): void {
  if (start !== undefined && end === undefined) report.error(fieldMissing("End"), at);
  if (duration !== undefined) report.error(ruleBroken("AlpineBits does not allow Duration here"), at);
  checkDates({ start, end }, { report, at });
}

/** Refuses a time of day in AlpineBits dates. */
export function checkDates({ start, end }: Pick<ParsedDates, "start" | "end">, { report, at }: ReportContext): void {
  for (const [field, text] of Object.entries({ Start: start, End: end })) {
    if (text !== undefined && LOOSE_DATE_PATTERN.test(text) && !EXACT_DATE_PATTERN.test(text)) report.error(invalidDate(text, field), at);
  }
}

const EXACT_DATE_PATTERN = /^\s*\d{4}-\d\d-\d\d(?:Z|[+-]\d\d:\d\d)?\s*$/;
