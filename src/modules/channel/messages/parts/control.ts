import type { Attributes } from "../../../../xml/handler.ts";
import { type Dialect, isStrict } from "../../dialects.ts";
import type { ReadContext } from "../../message.ts";
import { invalidFlag, note, secondControl } from "../../ota-error.ts";
import type { Place, Reading, Spot } from "../../report.ts";
import { codeOf } from "./attributes.ts";
import { checkPeriod } from "./check-dates.ts";
import { type DatesRead, noDates, type Range, rangeOf, readDateAttribute, warnOfDay } from "./dates.ts";
import { isOtherName, refuseOtherNames, type Standard } from "./other-names.ts";
import { parseBoolean } from "./parse.ts";

/** `StatusApplicationControl`: what a line is about. */
export type Control = {
  category: string | undefined;
  /** Whether `InvCode` names the category, without an `InvTypeCode`. */
  byInvCode: boolean;
  /** One physical room of the category. */
  room: string | undefined;
  plan: string | undefined;
  /** `AllInvCode`: the whole hotel. */
  all: boolean;
  /** The line is about a group's block of rooms or a board, neither of which is stored: it changes nothing for sale. */
  block: boolean;
};

/** Whether a line is about the whole hotel. Its count is that of all rooms together and tells nothing about a category. */
export function isOfHotel({ all, category }: Control): boolean {
  return all && category === undefined;
}

const IGNORED: ReadonlySet<string> = new Set([
  "IsRoom",
  "Override",
  "RatePlanCodeType",
  "InvCodeApplication",
  "DestinationSystemCode",
  "DestinationSystemCodes",
  "RatePlanType",
]);

/** Attributes that name a part of a category or hotel. */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ["InvBlockCode", "group blocks"],
  ["SubBlockCode", "parts of a block, such as boards,"],
]);

/** A line; its control and range are absent until they are read. */
export type Controlled = { at: Place; control: Control | undefined; range: Range | undefined };

/** The element, its place, and the control of the previous line. */
type ControlElement = { attributes: Attributes; offset: number; before: Control | undefined };

/** Reads the control and the nights of a line. */
export function openDatedControl(line: Controlled, element: ControlElement, context: ReadContext): void {
  const dates = openControl(line, element, context);
  const spot = { report: context.report, at: line.at };
  line.range = rangeOf(dates, spot);
  if (isStrict(context.dialect)) checkPeriod(dates, spot);
}

/** Reads the control of a line and answers its dates. Faults of the line get this place, where its codes and dates stand. */
export function openControl(line: Controlled, { attributes, offset, before }: ControlElement, { dialect, report }: ReadContext): DatesRead {
  line.at.offset = offset;
  if (line.control) report.error(secondControl(), line.at);
  const dates = noDates();
  const control = readControl({ attributes, report, at: line.at }, dates, dialect);
  // Thousands of lines may name the same target as the line before, so equal controls are kept once.
  line.control = before && isSame(before, control) ? before : control;
  return dates;
}

function isSame(a: Control, b: Control): boolean {
  return (
    a.category === b.category &&
    a.room === b.room &&
    a.plan === b.plan &&
    a.all === b.all &&
    a.block === b.block &&
    a.byInvCode === b.byInvCode
  );
}

/**
 * Reads the element; its dates go into `dates`. The category is `InvTypeCode`, else `InvCode`; both together are one physical room.
 * Some senders, such as Cubilis, have nothing but the id of a plan.
 */
function readControl(reading: Reading, dates: DatesRead, dialect: Dialect): Control {
  const control: Control = { category: undefined, byInvCode: false, room: undefined, plan: undefined, all: false, block: false };
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

/** What the element does not say; before the room is told from the category. */
function lackingIn({ category, room, plan }: Control, { end, duration }: DatesRead): readonly Standard[] {
  const said: Readonly<Record<Standard, string | undefined>> = { InvTypeCode: category ?? room, RatePlanCode: plan, End: end ?? duration };
  return (["InvTypeCode", "RatePlanCode", "End"] as const).filter((name) => said[name] === undefined);
}

/** Some senders write the category into both attributes. In AlpineBits it is a room: an apartment has one, often of the same code. */
function isCategoryTwice({ category, room }: Control, dialect: Dialect): boolean {
  return category === room && dialect.name !== "alpinebits";
}

function readOther(control: Control, { name, value }: { name: string; value: string }, { report, at }: Spot): void {
  if (name === "AllInvCode") {
    const all = parseBoolean(value);
    if (all === undefined) report.error(invalidFlag(value, name), at);
    control.all = all === true;
  } else if (BLOCKS.has(name)) {
    if (value.trim() === "") return;
    control.block = true;
    report.warn(note(`${name} is not stored: ${BLOCKS.get(name)} are ignored`), at);
  } else {
    report.ignore(IGNORED.has(name) ? name : `StatusApplicationControl/@${name}`);
    warnOfDay(name, { report, at });
  }
}
