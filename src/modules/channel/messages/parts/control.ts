import type { Attributes } from "../../../../xml/handler.ts";
import { type Dialect, isStrict } from "../../dialects.ts";
import type { ReadContext } from "../../message.ts";
import { invalidFlag, note, secondControl } from "../../ota-error.ts";
import type { Place, Reading, Spot } from "../../report.ts";
import { NOT_NARROWED, type Range, type Target, type Update } from "../../updates/update.ts";
import { codeOf } from "./attributes.ts";
import { checkPeriod } from "./check-dates.ts";
import { type DatesRead, noDates, rangeOf, readDateAttribute, warnOfDay } from "./dates.ts";
import { isOtherName, refuseOtherNames, type Standard } from "./other-names.ts";
import { parseBoolean } from "./parse.ts";

/** `StatusApplicationControl`: what a line is about. */
export type Control = Target & {
  /** Whether `InvCode` names the category, without an `InvTypeCode`. */
  byInvCode: boolean;
  narrowedBy: Update["narrowedBy"];
};

const IGNORED: ReadonlySet<string> = new Set([
  "IsRoom",
  "Override",
  "RatePlanCodeType",
  "InvCodeApplication",
  "DestinationSystemCode",
  "DestinationSystemCodes",
  "RatePlanType",
]);

/** Attributes that limit a line to part of a category or hotel. */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ["InvBlockCode", "group blocks"],
  ["SubBlockCode", "parts of a block, such as boards,"],
]);

/** A line while it is read. */
export type OpenLine = { at: Place; control: Control | undefined; nights: Range | undefined };

type ControlElement = {
  attributes: Attributes;
  offset: number;
  /** The control of the previous line. */
  before: Control | undefined;
};

/** Reads the control and the nights of a line. */
export function openDatedControl(line: OpenLine, element: ControlElement, context: ReadContext): void {
  const dates = openControl(line, element, context);
  const spot = { report: context.report, at: line.at };
  line.nights = rangeOf(dates, spot);
  if (isStrict(context.dialect)) checkPeriod(dates, spot);
}

/** Reads the control of a line and returns its dates. Errors about the line then refer to this element. */
export function openControl(line: OpenLine, { attributes, offset, before }: ControlElement, { dialect, report }: ReadContext): DatesRead {
  line.at.offset = offset;
  if (line.control) report.error(secondControl(), line.at);
  const dates = noDates();
  const control = readControl({ attributes, report, at: line.at }, dates, dialect);
  // Saves memory: thousands of lines may have the same control.
  line.control = before && isSame(before, control) ? before : control;
  return dates;
}

function isSame(a: Control, b: Control): boolean {
  return (
    a.category === b.category &&
    a.room === b.room &&
    a.plan === b.plan &&
    a.wholeHotel === b.wholeHotel &&
    a.narrowedBy === b.narrowedBy &&
    a.byInvCode === b.byInvCode
  );
}

/**
 * Reads the element, and its dates into `dates`. The category is `InvTypeCode`, else `InvCode`; both together are one physical room.
 * Some senders, such as Cubilis, send only the id of a plan.
 */
function readControl(reading: Reading, dates: DatesRead, dialect: Dialect): Control {
  const control: Control = {
    category: undefined,
    byInvCode: false,
    room: undefined,
    plan: undefined,
    wholeHotel: false,
    narrowedBy: NOT_NARROWED,
  };
  const { attributes } = reading;
  let planId: string | undefined;
  let isMisnamed = false;
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    const value = attributes.valueAt(index);
    if (name === "InvTypeCode") control.category = codeOf(name, value, reading);
    else if (name === "InvCode") control.room = codeOf(name, value, reading);
    else if (name === "RatePlanCode") control.plan = codeOf(name, value, reading);
    else if (name === "RatePlanID") planId = codeOf(name, value, reading);
    else if (name === "Duration") dates.duration = value;
    else if (!readDateAttribute(dates, name, value)) {
      readOther(control, { name, value }, reading);
      isMisnamed ||= isOtherName(name);
    }
  }
  control.plan ??= planId;
  if (isMisnamed) refuseOtherNames(lackingIn(control, dates), reading);
  control.byInvCode = control.category === undefined && control.room !== undefined;
  if (control.byInvCode || isCategoryTwice(control, dialect)) {
    control.category = control.room;
    control.room = undefined;
  }
  return control;
}

/** What the element leaves out. Call it before `InvCode` becomes the category. */
function lackingIn({ category, room, plan }: Control, { end, duration }: DatesRead): readonly Standard[] {
  const values: Readonly<Record<Standard, string | undefined>> = {
    InvTypeCode: category ?? room,
    RatePlanCode: plan,
    End: end ?? duration,
  };
  return (["InvTypeCode", "RatePlanCode", "End"] as const).filter((name) => values[name] === undefined);
}

/** Some senders put the category in both attributes. In AlpineBits `InvCode` is a room: the only one of an apartment often has its code. */
function isCategoryTwice({ category, room }: Control, dialect: Dialect): boolean {
  return category === room && dialect.name !== "alpinebits";
}

function readOther(control: Control, { name, value }: { name: string; value: string }, { report, at }: Spot): void {
  if (name === "AllInvCode") {
    const all = parseBoolean(value);
    if (all === undefined) report.error(invalidFlag(value, name), at);
    control.wholeHotel = all === true;
  } else if (BLOCKS.has(name)) {
    if (value.trim() === "") return;
    control.narrowedBy = [...control.narrowedBy, name];
    report.warn(note(`${name} is not stored: ${BLOCKS.get(name)} are ignored`), at);
  } else {
    report.ignore(IGNORED.has(name) ? name : `StatusApplicationControl/@${name}`);
    warnOfDay(name, { report, at });
  }
}
