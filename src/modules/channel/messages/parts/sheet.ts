import { type AttributeValue, pageKindOf } from "../../../../calendar/attributes.ts";
import type { Assign, DayMask, Operation } from "../../../../calendar/operation.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { doubt } from "../../ota-error.ts";
import type { Place } from "../../report.ts";
import { Clipper } from "./clip.ts";
import type { Control, Controlled } from "./control.ts";
import type { Range } from "./dates.ts";
import { Reopening } from "./reopening.ts";
import { roomName, Summary } from "./summary.ts";
import { Targets } from "./targets.ts";
import { taxesOf } from "./taxes.ts";

/** Nights of a category: its own, those of one of its rooms, or those under a rate plan; `lane` as in `Assign`. */
export type Target = { category: string; lane: string; range: Range };

/** What a line is about. */
type Aim = { control: Control; categories: readonly string[]; range: Range };

/** What the lines of a message have come to so far, while it is decided. */
export class Sheet {
  readonly context: DecisionContext;
  readonly operations: Operation[] = [];
  readonly targets: Targets;
  readonly clipper: Clipper;
  readonly reopening = new Reopening(this.operations);
  /** What is to be applied before `operations`, whichever line it is of. */
  readonly ahead: Operation[] = [];
  /** The last list of additional guests of each target. */
  readonly extras = new Map<string, AttributeValue>();
  readonly summary = new Summary();
  readonly #hulls = new Map<string, { first: number; last: number; days: DayMask }>();
  readonly #overbooked = new Set<string>();

  constructor(context: DecisionContext) {
    this.context = context;
    this.targets = new Targets(context);
    this.clipper = new Clipper(context);
  }

  /** The categories and nights that a line is about; `undefined` where it changes nothing, for a reason that is told. */
  aim({ control, range, at }: Controlled): Aim | undefined {
    if (!control || control.block) return undefined;
    const categories = this.targets.categories(control.category, at);
    const usable = control.plan === undefined || this.targets.plan(control.plan, control.category, at);
    const clipped = range && this.clipper.clip(range, at);
    return clipped && usable ? { control, categories, range: clipped } : undefined;
  }

  /** Adds the operation that sets `values`; `replace` as in `Assign`, false when absent. */
  assign(
    { category, lane, range: { first, last, days } }: Target,
    set: Pick<Assign, "group" | "values"> & Partial<Pick<Assign, "replace">>,
  ): void {
    const { group, values, replace = false } = set;
    this.operations.push({ type: "assign", kind: pageKindOf(group), category, lane, first, last, days, group, replace, values });
  }

  /** Notices lines that touch nights of an earlier line for the same target, and answers it; exact when lines are in date order. */
  overlaps(target: string, { first, last, days }: Range): boolean {
    const hull = this.#hulls.get(target);
    if (!hull) {
      this.#hulls.set(target, { first, last, days });
      return false;
    }
    const isCrossed = first <= hull.last && last >= hull.first && (days & hull.days) !== 0;
    if (isCrossed) this.context.report.advise(`ranges for ${target} overlap or are not in order: the later line wins`);
    hull.first = Math.min(hull.first, first);
    hull.last = Math.max(hull.last, last);
    hull.days |= days;
    return isCrossed;
  }

  /** Warns, once for each, when more rooms are `sent` for a category, or a room of it, than it has. */
  overbooks({ category, lane: room }: Target, sent: number, at: Place): void {
    const rooms = room === "" ? this.context.categories.get(category)!.rooms : 1;
    if (sent <= rooms || rooms === 0) return;
    const name = roomName(category, room);
    if (this.#overbooked.has(name)) return;
    this.#overbooked.add(name);
    this.context.report.warn(doubt(`more rooms than ${name} has (${rooms}) were sent`), at);
  }

  /** What is to be applied, in its order. */
  all(): readonly Operation[] {
    return this.ahead.length === 0 ? this.operations : [...this.ahead, ...this.operations];
  }

  /** The decision after the last line. A reset is a complete set of nothing. Naming a removed rate plan sells it again. */
  close({ completeSet, reset }: { completeSet: boolean; reset: boolean }): Decision {
    this.reopening.flush();
    this.clipper.finish();
    const taxes = taxesOf(this.operations);
    const summary = reset ? "Reset: everything held for the hotel was cleared" : this.summary.text();
    return {
      summary: completeSet && !reset ? `Complete set: ${summary}` : summary,
      operations: this.all(),
      plans: this.targets.plans().map((code) => ({ code, status: "active", taxes: taxes.get(code) })),
      completeSet: completeSet ? "counts" : undefined,
    };
  }
}
