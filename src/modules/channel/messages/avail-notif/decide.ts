import { type Attribute, type AttributeValue, definitionOf } from "../../../../calendar/attributes.ts";
import type { Operation } from "../../../../calendar/operation.ts";
import { amount, counted } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note, totalNotStored } from "../../ota-error.ts";
import { isOfHotel } from "../parts/control.ts";
import type { Restrictions } from "../parts/restrictions.ts";
import { Sheet, type Target } from "../parts/sheet.ts";
import { rateName, roomName } from "../parts/summary.ts";
import { type AvailStatus, hasContent, isReset, type Line } from "./line.ts";

/** Turns restrictions and booking limits into operations on nights. */
export function decideAvailStatus(read: AvailStatus, context: DecisionContext): Decision {
  const sheet = new Sheet(context);
  if (read.completeSet) sheet.operations.push(...clearEverything(read, context));
  if (!isReset(read)) for (const line of read.lines) planLine(sheet, line);
  const decision = sheet.close({ completeSet: read.completeSet, reset: isReset(read) });
  return hasCounts(read) ? decision : { ...decision, completeSet: undefined };
}

/** A complete set replaces what it carries: counts, restrictions, or both; a reset replaces the counts. */
function clearEverything(read: AvailStatus, { today }: DecisionContext): readonly Operation[] {
  const operations: Operation[] = [];
  if (hasCounts(read)) {
    operations.push({ type: "clear", kind: "inventory", groups: ["counts", "closed"], from: today });
  }
  if (read.lines.some(({ restrictions }) => restrictions.size > 0)) {
    operations.push({ type: "clear", kind: "rate", groups: ["restrictions"], from: today });
  }
  return operations;
}

function hasCounts(read: AvailStatus): boolean {
  return isReset(read) || read.lines.some(({ limit }) => limit);
}

function planLine(sheet: Sheet, line: Line): void {
  const { at, limit, restrictions } = line;
  const aim = sheet.aim(line);
  if (!aim) return;
  const { control, categories, range } = aim;
  if (!hasContent(line)) sheet.context.report.warn(note("a line without a BookingLimit or restriction to store changes nothing"), at);
  const isTotal = isOfHotel(control) && (limit?.rooms ?? 0) > 0;
  if (isTotal) sheet.context.report.warn(totalNotStored(), at);
  const isOfPlan = limit && control.category === undefined && !control.all;
  if (isOfPlan) sheet.context.report.warn(note("a limit without InvTypeCode was stored for every category"), at);
  for (const category of categories) {
    if (limit && !isTotal) planLimit(sheet, line, { category, lane: control.room ?? "", range });
    if (restrictions.size > 0) planRestrictions(sheet, line, { category, lane: control.plan ?? "", range });
  }
}

/** A booking limit applies to the room, whatever plan is named. */
function planLimit(sheet: Sheet, { limit, at }: Line, target: Target): void {
  const { category, lane: room, range } = target;
  const values = new Map<Attribute, number | undefined>()
    .set("available", limit!.rooms)
    .set("threshold", limit!.threshold)
    .set("derived", undefined);
  if (limit!.rooms !== undefined) sheet.reopening.add(category, room, range);
  sheet.assign(target, { group: "counts", values });
  const name = roomName(category, room);
  sheet.overlaps(`${name} counts`, range);
  sheet.summary.what ??= limit!.rooms === undefined ? "limit removed" : `available ${amount(limit!.rooms)}`;
  sheet.summary.add(name, range);
  sheet.overbooks(target, limit!.rooms ?? 0, at);
}

function planRestrictions(sheet: Sheet, { control, restrictions, at }: Line, target: Target): void {
  if (control!.room !== undefined) return sheet.context.report.warn(note("restrictions of single rooms are not stored"), at);
  sheet.assign(target, { group: "restrictions", values: restrictions });
  sheet.summary.what ??= restrictionsText(restrictions);
  sheet.summary.add(rateName(target.category, target.lane), target.range);
}

function restrictionsText(restrictions: Restrictions): string {
  return [...restrictions].map(([attribute, value]) => restrictionText(attribute, value)).join(", ");
}

function restrictionText(attribute: Attribute, value: AttributeValue | undefined): string {
  const { label, states, type } = definitionOf(attribute)!;
  if (value === undefined) return `${label} removed`;
  if (type === "nights") return `${label} ${counted(Number(value), "night")}`;
  if (type === "days") return `${label} ${counted(Number(value), "day")} ahead`;
  return states?.[Number(value)] ?? `${label} ${value}`;
}
