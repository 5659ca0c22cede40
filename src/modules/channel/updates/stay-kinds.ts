import { type Attribute, findDefinition, type AttributeMap } from "../../../calendar/attributes.ts";
import type { DecisionContext } from "../message.ts";
import { note } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import type { StoredNights } from "./stored-nights.ts";
import { rateName } from "./summary.ts";
import { type ArrivalLimit, type WeekdayRange, type ParsedStayLimits, type UpdateTarget, THROUGH_LIMITS } from "./update.ts";

type StayTarget = Pick<UpdateTarget, "category" | "plan">;

/**
 * Decides how stay limits without `ArrivalDateBased` apply. They apply as the sender's profile says; the default is by arrival. If the
 * message also has limits marked as arrival-based for the same category and plan, unmarked limits are stay-through limits.
 */
export class StayKinds {
  readonly #context: DecisionContext;
  readonly #stored: StoredNights;
  /** Categories that have arrival-based limits, by plan. `undefined` means all categories. */
  readonly #byArrival = new Map<string, Set<string | undefined>>();
  /** Limits for which the message says how they apply. */
  readonly #marked = new Set<string>();

  constructor(context: DecisionContext, stored: StoredNights) {
    this.#context = context;
    this.#stored = stored;
  }

  /** Call this for every line before the first call to `resolve`. */
  note(target: StayTarget, set: AttributeMap, { byArrival, unmarked }: ParsedStayLimits): void {
    for (const pair of Object.entries(THROUGH_LIMITS) as [ArrivalLimit, Attribute][])
      for (const limit of pair) if (set.has(limit) && !unmarked.has(limit as ArrivalLimit)) this.#marked.add(stayKey(target, limit));
    if (byArrival) this.#byArrival.getOrInsertComputed(target.plan ?? "", () => new Set()).add(target.category);
  }

  /** Returns a line's values, with each stay limit stored as arrival-based or stay-through. */
  resolve(target: StayTarget, set: AttributeMap, { unmarked }: ParsedStayLimits): AttributeMap {
    if (unmarked.size === 0 || !this.#isThrough(target)) return set;
    const movedValues = new Map(set);
    for (const limit of unmarked) {
      if (set.has(THROUGH_LIMITS[limit])) continue;
      movedValues.set(THROUGH_LIMITS[limit], set.get(limit));
      movedValues.delete(limit);
    }
    return movedValues;
  }

  /** Warns if an unmarked limit is removed but a limit of the other kind remains on the same nights. */
  warnOfRemainingLimits(
    line: { at: SourceLocation; target: StayTarget; range: WeekdayRange; categories: readonly string[] },
    set: AttributeMap,
    stays: ParsedStayLimits,
  ): void {
    const { at, target, range, categories } = line;
    for (const limit of stays.unmarked) {
      const throughLimit = THROUGH_LIMITS[limit];
      const [removed, other] = set.has(limit) ? [limit, throughLimit] : [throughLimit, limit];
      if (set.get(removed) !== undefined || this.#marked.has(stayKey(target, other))) continue;
      const lane = target.plan ?? "";
      for (const category of categories) {
        if (!this.#stored.has(other, { kind: "rate", category, lane }, range)) continue;
        this.#context.report.warn(note(describeConflict(rateName(category, lane), removed, other)), at);
      }
    }
  }

  #isThrough({ category, plan = "" }: StayTarget): boolean {
    if (this.#context.profile.stayLimits === "through") return true;
    const categories = this.#byArrival.get(plan);
    return categories !== undefined && (category === undefined || categories.has(category) || categories.has(undefined));
  }
}

function stayKey({ category, plan = "" }: StayTarget, limit: Attribute): string {
  return `${limit}\n${category ?? "\n"}\n${plan}`;
}

function describeConflict(name: string, removed: Attribute, other: Attribute): string {
  const flag = other === "minStayThrough" || other === "maxStayThrough" ? "false" : "true";
  return `removed the ${findDefinition(removed)!.label} of ${name}, which still has a ${findDefinition(other)!.label}: ArrivalDateBased="${flag}" would remove that`;
}
