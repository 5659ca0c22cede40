import type { Group, Operation } from "../../../../calendar/operation.ts";
import type { Decision, Scene } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Span } from "../parts/dates.ts";
import { conclude, newPlan, type Plan } from "../parts/plan.ts";
import type { Restrictions } from "../parts/restrictions.ts";
import { type AvailStatus, hasContent, isReset, type Line } from "./line.ts";

/** Turns restrictions and booking limits into operations on nights. */
export function decideAvailStatus(read: AvailStatus, scene: Scene): Decision {
  const plan = newPlan(scene);
  if (read.completeSet) plan.operations.push(...clearEverything(read, scene));
  if (!isReset(read)) for (const line of read.lines) planLine(plan, line);
  return conclude(plan, { completeSet: read.completeSet, reset: isReset(read) });
}

/** A complete set replaces what it carries: counts, restrictions, or both; a reset replaces the counts. */
function clearEverything(read: AvailStatus, { today }: Scene): readonly Operation[] {
  const operations: Operation[] = [];
  if (isReset(read) || read.lines.some(({ limit }) => limit)) {
    operations.push({ type: "clear", kind: "inventory", groups: ["counts", "closed"], from: today });
  }
  if (read.lines.some(({ restrictions }) => restrictions.size > 0)) {
    operations.push({ type: "clear", kind: "rate", groups: ["restrictions"], from: today });
  }
  return operations;
}

function planLine(plan: Plan, line: Line): void {
  const { control, at, limit, restrictions } = line;
  if (!control || control.block) return;
  const categories = plan.targets.categories(control.category, at);
  const usable = control.plan === undefined || plan.targets.plan(control.plan, control.category, at);
  const span = line.span && plan.clipper.clip(line.span, at);
  if (!span || !usable) return;
  if (!hasContent(line)) plan.scene.report.warn(note("a line without BookingLimit or restriction changes nothing"), at);
  for (const category of categories) {
    if (limit) planLimit(plan, line, { category, span });
    if (restrictions.size > 0) planRestrictions(plan, line, { category, span });
  }
}

const CLOSED: readonly Group[] = ["closed"];
const COUNTS_AND_CLOSED: readonly Group[] = ["counts", "closed"];

/** A category and nights of it. */
type Target = { category: string; span: Span };

/** A booking limit is the room's, whatever plan the line names. */
function planLimit(plan: Plan, { control, limit, at }: Line, { category, span }: Target): void {
  const room = control!.room ?? "";
  const values = [["available", limit!.rooms] as const, ["threshold", limit!.threshold] as const, ["derived", undefined] as const];
  plan.reopening.add(category, room === "" ? CLOSED : COUNTS_AND_CLOSED, span);
  plan.operations.push({ type: "assign", kind: "inventory", category, lane: room, ...span, group: "counts", replace: false, values });
  const target = room === "" ? category : `${category} room ${room}`;
  plan.overlaps(`${target} counts`, span);
  plan.summary.what ??= limit!.rooms === undefined ? "limit removed" : `available ${limit!.rooms}`;
  plan.summary.add(target, span);
  const rooms = room === "" ? plan.scene.categories.get(category)!.rooms : 1;
  if ((limit!.rooms ?? 0) > rooms && rooms > 0) plan.overbooked(target, rooms, at);
}

function planRestrictions(plan: Plan, { control, restrictions, at }: Line, { category, span }: Target): void {
  if (control!.room !== undefined) return plan.scene.report.warn(note("restrictions of single rooms are not stored"), at);
  const lane = control!.plan ?? "";
  plan.operations.push({
    type: "assign",
    kind: "rate",
    category,
    lane,
    ...span,
    group: "restrictions",
    replace: false,
    values: [...restrictions],
  });
  plan.summary.what ??= wordsOf(restrictions);
  plan.summary.add(lane === "" ? category : `${category}/${lane}`, span);
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  stopSell: ["open", "stop sell"],
  closedToArrival: ["open to arrival", "closed to arrival"],
  closedToDeparture: ["open to departure", "closed to departure"],
};
const NUMBERS: Readonly<Record<string, string>> = {
  minStayArrival: "minimum stay",
  maxStayArrival: "maximum stay",
  minStayThrough: "minimum stay through",
  maxStayThrough: "maximum stay through",
  minAdvance: "book at least days before",
  maxAdvance: "book at most days before",
  pattern: "stays",
};

function wordsOf(restrictions: Restrictions): string {
  return [...restrictions]
    .map(([column, value]) => WORDS[column]?.[Number(value)] ?? `${NUMBERS[column]} ${value ?? "removed"}`)
    .join(", ");
}
