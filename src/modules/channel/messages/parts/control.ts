import type { Attributes } from "../../../../xml/handler.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { ReadContext } from "../../message.ts";
import { fieldMissing, invalidFlag, note, duplicateControl } from "../../ota-error.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import { NO_NARROWING, type WeekdayRange, type UpdateTarget } from "../../updates/update.ts";
import { checkPeriod, type ParsedDates, newDates, toRange, readDateAttribute, refuseMisspelledDay } from "./dates.ts";
import { appendItem } from "./rate.ts";
import { normalizeCode, parseBoolean } from "./values.ts";

/** `StatusApplicationControl`, which defines what a line applies to. */
export type Control = UpdateTarget & {
  /** Whether `InvCode` names the category, without an `InvTypeCode`. */
  byInvCode: boolean;
  /** Value of the attribute `AllRateCode`. */
  allPlans: boolean;
};

export type OpenLine = {
  at: SourceLocation;
  control: Control | undefined;
  nights: WeekdayRange | undefined;
  narrowedBy: NarrowingAttribute[];
};

export function newLine(at: SourceLocation): OpenLine {
  return { at, control: undefined, nights: undefined, narrowedBy: NO_NARROWING };
}

/** Adds a limit to the open line. Returns false if no line is open. */
export function addLimit(line: Pick<OpenLine, "narrowedBy"> | undefined, limit: NarrowingAttribute): boolean {
  if (line) line.narrowedBy = appendItem(line.narrowedBy, limit);
  return line !== undefined;
}

export function openDatedControl(line: OpenLine, element: ControlElement, context: ReadContext): void {
  const dates = openControl(line, element, context);
  const spot = { report: context.report, at: line.at };
  line.nights = toRange(dates, spot);
  if (context.dialect.requiresPeriod) checkPeriod(dates, spot);
}

type ControlElement = {
  attributes: Attributes;
  offset: number;
  previous: Control | undefined;
};

/** Reads a line's control and returns its dates. Errors reported later for the line point to this element. */
export function openControl(
  line: OpenLine,
  { attributes, offset, previous }: ControlElement,
  { dialect, report }: ReadContext,
): ParsedDates {
  line.at.offset = offset;
  if (line.control) report.error(duplicateControl(), line.at);
  const dates = newDates();
  const control = readControl({ attributes, report, at: line.at }, dates, dialect);
  // Shares equal controls to save memory, because thousands of lines may have the same control.
  line.control = previous && isSameControl(previous, control) ? previous : control;
  return dates;
}

function isSameControl(a: Control, b: Control): boolean {
  return (
    a.category === b.category &&
    a.room === b.room &&
    a.plan === b.plan &&
    a.wholeHotel === b.wholeHotel &&
    a.allPlans === b.allPlans &&
    a.byInvCode === b.byInvCode
  );
}

/**
 * Reads the control, and its dates into `dates`. The category is `InvTypeCode`, otherwise `InvCode`. If both are present, `InvCode` is a
 * physical room. Some senders, such as Cubilis, send only a plan's ID.
 */
function readControl(reading: ElementContext, dates: ParsedDates, dialect: Dialect): Control {
  const control = newControl();
  const { attributes } = reading;
  let planId: string | undefined;
  let hasOtherName = false;
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    const value = attributes.valueAt(index);
    if (name === "InvTypeCode") control.category = normalizeCode(name, value, reading);
    else if (name === "InvCode") control.room = normalizeCode(name, value, reading);
    else if (name === "RatePlanCode") control.plan = normalizeCode(name, value, reading);
    else if (name === "RatePlanID") planId = normalizeCode(name, value, reading);
    else if (name === "Duration") dates.duration = value;
    else if (!readDateAttribute(dates, name, value)) {
      readOtherAttribute(control, { name, value }, reading);
      hasOtherName ||= findStandardName(name) !== undefined;
    }
  }
  control.plan ??= planId;
  if (control.allPlans && control.plan !== undefined)
    reading.report.warn(note("AllRateCode was ignored, because the line has a plan"), reading.at);
  if (hasOtherName) refuseOtherNames(listMissingNames(control, dates), reading);
  control.byInvCode = control.category === undefined && control.room !== undefined;
  if (control.byInvCode || repeatsCategory(control, dialect)) {
    control.category = control.room;
    control.room = undefined;
  }
  return control;
}

function newControl(): Control {
  return { category: undefined, byInvCode: false, room: undefined, plan: undefined, wholeHotel: false, allPlans: false };
}

/** Returns the names of the missing attributes. Call this before `InvCode` is stored as the category. */
function listMissingNames({ category, room, plan }: Control, { end, duration }: ParsedDates): readonly StandardName[] {
  const values: Readonly<Record<StandardName, string | undefined>> = {
    InvTypeCode: category ?? room,
    RatePlanCode: plan,
    End: end ?? duration,
  };
  return (["InvTypeCode", "RatePlanCode", "End"] as const).filter((name) => values[name] === undefined);
}

/**
 * Whether `InvCode` only repeats the category, as in some senders' messages. In AlpineBits, an equal `InvCode` is a room, because a
 * category with a single room may have the same code as that room.
 */
function repeatsCategory({ category, room }: Control, dialect: Dialect): boolean {
  return category === room && !dialect.allowsRoomWithCategoryCode;
}

function readOtherAttribute(control: Control, { name, value }: { name: string; value: string }, { report, at }: ElementContext): void {
  if (name !== "AllInvCode" && name !== "AllRateCode") return refuseMisspelledDay(name, { report, at });
  const all = parseBoolean(value);
  if (all === undefined) report.error(invalidFlag(value, name), at);
  if (name === "AllInvCode") control.wholeHotel = all === true;
  else control.allPlans = all === true;
}

type StandardName = "InvTypeCode" | "RatePlanCode" | "End";

/** The standard name for each nonstandard name (in lower case) that some senders use. */
const STANDARD_NAMES: ReadonlyMap<string, StandardName> = new Map([
  ["invtypecode", "InvTypeCode"],
  ["invcode", "InvTypeCode"],
  ["roomtypecode", "InvTypeCode"],
  ["roomtypeid", "InvTypeCode"],
  ["roomtype", "InvTypeCode"],
  ["roomcode", "InvTypeCode"],
  ["roomid", "InvTypeCode"],
  ["rateplancode", "RatePlanCode"],
  ["rateplanid", "RatePlanCode"],
  ["rateplan", "RatePlanCode"],
  ["ratecode", "RatePlanCode"],
  ["enddate", "End"],
  ["end", "End"],
]);

/** Attributes that are read. Those with an empty value count as missing. */
const READ_ATTRIBUTES: ReadonlySet<string> = new Set(["InvTypeCode", "InvCode", "RatePlanCode", "RatePlanID", "End"]);

function findStandardName(name: string): StandardName | undefined {
  return READ_ATTRIBUTES.has(name) ? undefined : STANDARD_NAMES.get(name.toLowerCase());
}

/** Refuses a nonstandard name for a missing attribute. Otherwise a line for one category would apply to all categories. */
function refuseOtherNames(missing: readonly StandardName[], { attributes, report, at }: ElementContext): void {
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    const standardName = findStandardName(name);
    if (standardName && missing.includes(standardName)) report.error(fieldMissing(`${standardName} (${name} is not accepted instead)`), at);
  }
}

/** If a rate or rule has no category or no last night, refuses nonstandard names for these attributes. */
export function refuseOtherBounds(category: string | undefined, dates: ParsedDates, reading: ElementContext): void {
  const missingNames: StandardName[] = [];
  if (category === undefined) missingNames.push("InvTypeCode");
  if (dates.start !== undefined && dates.end === undefined && dates.duration === undefined) missingNames.push("End");
  if (missingNames.length > 0) refuseOtherNames(missingNames, reading);
}
