import type { Assign, DayMask, Group, Kind, Operation } from "../../../../calendar/operation.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { doubt } from "../../ota-error.ts";
import type { Place, Report } from "../../report.ts";
import { type Clipper, clipperOf } from "./clip.ts";
import type { Range } from "./dates.ts";
import { type Reopening, reopeningOf } from "./reopening.ts";
import { Summary } from "./summary.ts";
import { type Targets, targetsOf } from "./targets.ts";

/** Nights of a category: its own, those of one of its rooms, or those under a rate plan; `lane` as in `Assign`. */
export type Target = { category: string; lane: string; range: Range };

/** What the lines of a message have come to so far, while it is decided. */
export type Sheet = {
  context: DecisionContext;
  operations: Operation[];
  /** Adds the operation that sets `values`; `replace` as in `Assign`, false when absent. */
  assign(target: Target, set: Pick<Assign, "group" | "values"> & { replace?: boolean }): void;
  targets: Targets;
  clipper: Clipper;
  reopening: Reopening;
  summary: Summary;
  /** Notes a target's nights that an earlier line named. */
  overlaps(target: string, range: Range): void;
  /** Warns that more rooms were sent than the target's `rooms`. */
  overbooked(target: string, rooms: number, at: Place): void;
};

/** A sheet without lines. */
export function newSheet(context: DecisionContext): Sheet {
  const operations: Operation[] = [];
  return {
    context,
    operations,
    assign({ category, lane, range: { first, last, days } }, { group, values, replace = false }) {
      operations.push({ type: "assign", kind: KINDS[group], category, lane, first, last, days, group, replace, values });
    },
    targets: targetsOf(context),
    clipper: clipperOf(context),
    reopening: reopeningOf(operations),
    summary: new Summary(),
    overlaps: overlapsOf(context.report),
    overbooked: overbookingOf(context.report),
  };
}

/** The decision after the last line. A reset is a complete set of nothing. Naming a removed rate plan sells it again. */
export function closeSheet(sheet: Sheet, { completeSet, reset }: { completeSet: boolean; reset: boolean }): Decision {
  sheet.reopening.flush();
  sheet.clipper.finish();
  const summary = reset ? "Reset: everything held for the hotel was cleared" : sheet.summary.text();
  return {
    summary: completeSet && !reset ? `Complete set: ${summary}` : summary,
    operations: sheet.operations,
    plans: sheet.targets.plans().map((code) => ({ code, status: "active" })),
    completeSet: completeSet ? "counts" : undefined,
  };
}

const KINDS: Readonly<Record<Group, Kind>> = {
  counts: "inventory",
  closed: "inventory",
  allotment: "rate",
  restrictions: "rate",
  amounts: "rate",
};

/** Notices lines that touch nights of an earlier line; exact when lines are in date order. */
function overlapsOf(report: Report): Sheet["overlaps"] {
  const hulls = new Map<string, { first: number; last: number; days: DayMask }>();
  return (target, { first, last, days }) => {
    const hull = hulls.get(target);
    if (!hull) return void hulls.set(target, { first, last, days });
    if (first <= hull.last && last >= hull.first && (days & hull.days) !== 0) {
      report.advise(`ranges for ${target} overlap or are not in order: the later line wins`);
    }
    hull.first = Math.min(hull.first, first);
    hull.last = Math.max(hull.last, last);
    hull.days |= days;
  };
}

/** Warns, once for each category or room, that more rooms were sent than it has. */
function overbookingOf(report: Report): Sheet["overbooked"] {
  const told = new Set<string>();
  return (target, rooms, at) => {
    if (told.has(target)) return;
    told.add(target);
    report.warn(doubt(`more rooms than ${target} has (${rooms}) were sent`), at);
  };
}
