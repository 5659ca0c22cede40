import type { Group, Operation } from "../../../../calendar/operation.ts";
import { isStrict } from "../../dialects.ts";
import type { Decision, Scene } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Span } from "../parts/dates.ts";
import { conclude, newPlan, type Plan } from "../parts/plan.ts";
import { availableOf, roomsIn, type Values, valuesOf } from "./counts.ts";
import { type Inventories, isClosing, isReset, type Line } from "./line.ts";

/** Turns counts into operations on nights. */
export function decideInventories(read: Inventories, scene: Scene): Decision {
  const plan = newPlan(scene);
  if (read.completeSet) plan.operations.push(...clearEverything(scene));
  if (!isReset(read)) for (const line of inOrder(read, scene)) planLine(plan, line);
  return conclude(plan, { completeSet: read.completeSet, reset: isReset(read) });
}

/** In AlpineBits closing seasons come first, yet a count in one, which can only be 0, does not open the hotel. */
function inOrder({ lines }: Inventories, { dialect }: Scene): readonly Line[] {
  if (!isStrict(dialect) || !lines.some(isClosing)) return lines;
  return [...lines.filter((line) => !isClosing(line)), ...lines.filter(isClosing)];
}

/** A complete set replaces the counts, closings and allotments from today on. */
function clearEverything({ today }: Scene): readonly Operation[] {
  return [
    { type: "clear", kind: "inventory", groups: ["counts", "closed"], from: today },
    { type: "clear", kind: "rate", groups: ["allotment"], from: today },
  ];
}

function planLine(plan: Plan, line: Line): void {
  const { control, at } = line;
  if (!control || control.block) return;
  const categories = plan.targets.categories(control.category, at);
  const usable = control.plan === undefined || plan.targets.plan(control.plan, control.category, at);
  const span = line.span && plan.clipper.clip(line.span, at);
  if (!span || !usable) return;
  if (isClosing(line)) return planClosing(plan, categories, span);
  for (const category of categories) {
    if (control.plan === undefined) planCounts(plan, line, { category, span });
    else planAllotment(plan, line, { category, span });
  }
}

function planClosing(plan: Plan, categories: readonly string[], span: Span): void {
  plan.reopening.flush();
  for (const category of categories) {
    plan.operations.push({
      type: "assign",
      kind: "inventory",
      category,
      lane: "",
      ...span,
      group: "closed",
      replace: false,
      values: CLOSES,
    });
  }
  plan.summary.what ??= "closed";
  plan.summary.add("All categories", span);
}

const CLOSES: Values = [["closed", 1]];
const CLOSED: readonly Group[] = ["closed"];
const COUNTS_AND_CLOSED: readonly Group[] = ["counts", "closed"];

/** A category and nights of it. */
type Target = { category: string; span: Span };

function planCounts(plan: Plan, line: Line, { category, span }: Target): void {
  const room = line.control!.room ?? "";
  const values = valuesOf(line.counts, plan.scene.dialect.name === "alpinebits");
  if (values.length === 0) return;
  plan.reopening.add(category, room === "" ? CLOSED : COUNTS_AND_CLOSED, span);
  const { first, last, days } = span;
  plan.operations.push({
    type: "assign",
    kind: "inventory",
    category,
    lane: room,
    first,
    last,
    days,
    group: "counts",
    replace: false,
    values,
  });
  const target = room === "" ? category : `${category} room ${room}`;
  plan.overlaps(target, span);
  plan.summary.what ??= wordsOf(values);
  plan.summary.add(target, span);
  warnOfOverbooking(plan, line, category);
}

/** A plan's own contingent of the category; the category's count stays as it is. */
function planAllotment(plan: Plan, line: Line, { category, span }: Target): void {
  if (line.control!.room !== undefined) return plan.scene.report.warn(note("allotments of single rooms are not stored"), line.at);
  const allotment = availableOf(line.counts);
  if (allotment === undefined) return;
  const rate = line.control!.plan!;
  const values: Values = [["allotment", allotment]];
  plan.operations.push({ type: "assign", kind: "rate", category, lane: rate, ...span, group: "allotment", replace: false, values });
  plan.overlaps(`${category}/${rate}`, span);
  plan.summary.what ??= `allotment ${allotment}`;
  plan.summary.add(`${category}/${rate}`, span);
}

function warnOfOverbooking({ scene, overbooked }: Plan, { control, counts, at }: Line, category: string): void {
  const rooms = control!.room === undefined ? scene.categories.get(category)!.rooms : 1;
  const sent = roomsIn(counts);
  if (sent > rooms && rooms > 0) overbooked(control!.room === undefined ? category : `room ${control!.room}`, rooms, at);
}

const WORDS: Readonly<Record<string, string>> = { outOfOrder: "out of order", offMarket: "off market" };

function wordsOf(values: Values): string {
  return values
    .filter(([column, value]) => value !== undefined && column !== "derived")
    .map(([column, value]) => `${WORDS[column] ?? column} ${value}`)
    .join(", ");
}
