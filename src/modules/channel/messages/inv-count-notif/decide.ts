import { definitionOf, type Values } from "../../../../calendar/attributes.ts";
import type { Operation } from "../../../../calendar/operation.ts";
import { amount } from "../../../../web/parts/amount.ts";
import { isStrict } from "../../dialects.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note, totalNotStored } from "../../ota-error.ts";
import { isOfHotel } from "../parts/control.ts";
import type { Range } from "../parts/dates.ts";
import { Sheet, type Target } from "../parts/sheet.ts";
import { rateName, roomName } from "../parts/summary.ts";
import { availableOf, omittedIn, roomsIn, valuesOf } from "./counts.ts";
import { type Inventories, isClosing, isReset, type Line } from "./line.ts";

/** Turns counts into operations on nights. */
export function decideInventories(read: Inventories, context: DecisionContext): Decision {
  const sheet = new Sheet(context);
  if (read.completeSet) sheet.operations.push(...clearEverything(context));
  if (!isReset(read)) for (const line of inOrder(read, context)) planLine(sheet, line);
  return sheet.close({ completeSet: read.completeSet, reset: isReset(read) });
}

/** AlpineBits sends closings first. They apply last, so that a count of 0 in one does not open the hotel. */
function inOrder({ lines }: Inventories, { dialect }: DecisionContext): readonly Line[] {
  if (!isStrict(dialect) || !lines.some(isClosing)) return lines;
  return [...lines.filter((line) => !isClosing(line)), ...lines.filter(isClosing)];
}

/** A complete set replaces the counts, closings and allotments from today on. */
function clearEverything({ today }: DecisionContext): readonly Operation[] {
  return [
    { type: "clear", kind: "inventory", groups: ["counts", "closed"], from: today },
    { type: "clear", kind: "rate", groups: ["allotment"], from: today },
  ];
}

function planLine(sheet: Sheet, line: Line): void {
  const aim = sheet.aim(line);
  if (!aim) return;
  const { control, categories, range } = aim;
  if (isClosing(line)) return planClosing(sheet, categories, range);
  if (isOfHotel(control) && line.counts?.some(Boolean)) return sheet.context.report.warn(totalNotStored(), line.at);
  for (const category of categories) {
    if (control.plan === undefined) planCounts(sheet, line, { category, lane: control.room ?? "", range });
    else planAllotment(sheet, line, { category, lane: control.plan, range });
  }
}

function planClosing(sheet: Sheet, categories: readonly string[], range: Range): void {
  sheet.reopening.flush();
  for (const category of categories) sheet.assign({ category, lane: "", range }, { group: "closed", values: CLOSES });
  sheet.summary.what ??= "closed";
  sheet.summary.add("All categories", range);
}

const CLOSES: Values = new Map([["closed", 1]]);

function planCounts(sheet: Sheet, line: Line, target: Target): void {
  const { category, lane: room, range } = target;
  const values = valuesOf(line.counts, sheet.context.dialect.name === "alpinebits" ? omittedIn(line.counts) : undefined);
  if (values.size === 0) return;
  if (values.has("available")) sheet.reopening.add(category, room, range);
  sheet.assign(target, { group: "counts", values });
  const name = roomName(category, room);
  sheet.overlaps(name, range);
  sheet.summary.what ??= wordsOf(values);
  sheet.summary.add(name, range);
  sheet.overbooks(target, roomsIn(line.counts), line.at);
}

/** Sets the plan's own contingent; the category's count stays as it is. */
function planAllotment(sheet: Sheet, line: Line, target: Target): void {
  if (line.control!.room !== undefined) return sheet.context.report.warn(note("allotments of single rooms are not stored"), line.at);
  const allotment = availableOf(line.counts);
  if (allotment === undefined) return;
  sheet.assign(target, { group: "allotment", values: new Map([["allotment", allotment]]) });
  const name = rateName(target.category, target.lane);
  sheet.overlaps(name, target.range);
  sheet.summary.what ??= `allotment ${amount(allotment)}`;
  sheet.summary.add(name, target.range);
}

function wordsOf(values: Values): string {
  return [...values]
    .filter(([column, value]) => value !== undefined && column !== "derived")
    .map(([column, value]) => `${definitionOf(column)!.label} ${amount(Number(value))}`)
    .join(", ");
}
