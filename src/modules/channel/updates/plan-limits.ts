import type { AttributeValue } from "../../../calendar/attributes.ts";
import { weekdayBit } from "../../../calendar/night.ts";
import type { DecisionContext } from "../message.ts";
import type { WeekdayRange, UpdateTarget, Update } from "./update.ts";

/** Nights with a booking limit for a rate plan. The limit is either the plan's allotment or the category's count. */
export type LimitPart = { range: WeekdayRange; isAllotment: boolean };

type LimitTarget = { category: string; room: string | undefined; plan: string | undefined };

type PlanLimit = { index: number; range: WeekdayRange; room: string | undefined; plan: string; rooms: AttributeValue | undefined };

/**
 * Decides whether a booking limit with a rate plan is the category's count or the plan's allotment. By default, it is the category's count
 * if all plans have the same limit for that category and night in the message. Otherwise it is the plan's allotment. The sender's profile
 * can override this.
 */
export class PlanLimits {
  readonly #context: DecisionContext;
  readonly #byCategory: ReadonlyMap<string | undefined, readonly PlanLimit[]>;
  /** For each category and room, one byte per night, starting with today. It is 1 if the limits for the night differ. */
  readonly #differing = new Map<string, Uint8Array>();

  constructor(context: DecisionContext, updates: readonly Update[]) {
    this.#context = context;
    const isAutomatic = context.profile.limitsWithPlan === "auto" && updates.some(isPlanLimit);
    this.#byCategory = isAutomatic ? limitsByCategory(updates) : new Map();
  }

  split({ category, room, plan }: LimitTarget, range: WeekdayRange): readonly LimitPart[] {
    const isAllotment = this.#context.profile.limitsWithPlan === "plan" && plan !== undefined;
    if (plan === undefined || this.#byCategory.size === 0) return [{ range, isAllotment }];
    const differingNights = this.#differing.getOrInsertComputed(`${category}\n${room ?? ""}`, () => this.#compare(category, room));
    return splitLimit(differingNights, range, this.#context.today);
  }

  #compare(category: string, room: string | undefined): Uint8Array {
    const { today, horizon } = this.#context;
    const limits = [category, undefined].flatMap((key) => this.#byCategory.get(key) ?? []).filter((limit) => limit.room === room);
    const differingNights = new Uint8Array(Math.max(0, horizon - today + 1));
    const latestLimits = Array<PlanLimit | undefined>(differingNights.length).fill(undefined);
    for (const limit of limits.toSorted((a, b) => a.index - b.index)) {
      const { first, last, days } = limit.range;
      for (let night = Math.max(first, today); night <= Math.min(last, horizon); night++) {
        if (!(days & weekdayBit(night))) continue;
        const earlierLimit = latestLimits[night - today];
        if (earlierLimit && earlierLimit.plan !== limit.plan && earlierLimit.rooms !== limit.rooms) differingNights[night - today] = 1;
        latestLimits[night - today] = limit;
      }
    }
    return differingNights;
  }
}

function isPlanLimit({ target: { plan }, set }: Update): boolean {
  return plan !== undefined && set.has("available");
}

/** Groups limits by category. Limits without a category have the key `undefined`. */
function limitsByCategory(updates: readonly Update[]): Map<string | undefined, PlanLimit[]> {
  const limitsFound = new Map<string | undefined, PlanLimit[]>();
  for (const [index, { target, nights, set }] of updates.entries()) {
    const rooms = set.get("available");
    if (!nights || !set.has("available") || isTotal(target, rooms)) continue;
    const { category, room, plan = "" } = target;
    limitsFound.getOrInsertComputed(category, () => []).push({ index, range: nights, room, plan, rooms });
  }
  return limitsFound;
}

/** Whether a limit is a total for the whole hotel, which is not stored. */
function isTotal({ wholeHotel, category }: UpdateTarget, rooms: AttributeValue | undefined): boolean {
  return wholeHotel && category === undefined && Number(rooms ?? 0) > 0;
}

function splitLimit(differingNights: Uint8Array, { first, last, days }: WeekdayRange, today: number): LimitPart[] {
  const parts: LimitPart[] = [];
  for (let from = first, to = first; from <= last; from = to) {
    const isAllotment = differingNights[from - today] === 1;
    for (to = from + 1; to <= last && (differingNights[to - today] === 1) === isAllotment;) to++;
    parts.push({ range: { first: from, last: to - 1, days }, isAllotment });
  }
  return parts.filter(({ range }) => hasDay(range));
}

function hasDay({ first, last, days }: WeekdayRange): boolean {
  for (let night = first; night <= Math.min(last, first + 6); night++) if (days & weekdayBit(night)) return true;
  return false;
}
