import { otherTaxSide } from "../../../calendar/amounts.ts";
import { type Attribute, type AttributeValue, type Group, findGroup, pageKind, type AttributeMap } from "../../../calendar/attributes.ts";
import type { Night } from "../../../calendar/night.ts";
import type { AssignOperation, DayMask, Operation } from "../../../calendar/operation.ts";
import type { PlanMention } from "../../../journal/work.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import type { DecisionContext } from "../message.ts";
import { doubtfulValue, limitsDiffer, note, totalNotStored } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import { type AmountValues, mergeAmounts, collectTaxes } from "./amounts.ts";
import { RangeClipper } from "./clip.ts";
import { DecimalStyles } from "./decimal-styles.ts";
import { PlanLimits } from "./plan-limits.ts";
import { Reopening } from "./reopening.ts";
import { StayKinds } from "./stay-kinds.ts";
import { StoredNights } from "./stored-nights.ts";
import { describeValues, describeAmounts, describeCounts, ourRateName, ourRoomName, rateName, roomName, UpdateSummary } from "./summary.ts";
import { Targets } from "./targets.ts";
import { groupsIn, type WeekdayRange, type Rate, type Update } from "./update.ts";

/** Nights in a category, in one of its rooms, or under one of its rate plans. See `AssignOperation` for `lane`. */
export type LaneRange = { category: string; lane: string; range: WeekdayRange };

type ReplacedRange = { category: string; lane: string; first: Night; last: Night };

/** An update with known codes and storable nights. */
type ResolvedUpdate = { update: Update; categories: readonly string[]; range: WeekdayRange };

/** `updates` are all the updates to apply, because some depend on others. `stored` are the nights that a complete set doesn't clear. */
type BuilderInput = { updates?: readonly Update[]; stored?: StoredNights };

type BuiltDecision = {
  summary: string;
  operations: readonly Operation[];
  plans: readonly PlanMention[];
  taxes: ReturnType<typeof collectTaxes>;
};

/** Applies a message's updates in order and collects the operations. */
export class DecisionBuilder {
  readonly context: DecisionContext;
  readonly targets: Targets;
  readonly clipper: RangeClipper;
  readonly stays: StayKinds;
  readonly summary = new UpdateSummary();
  readonly operations: Operation[] = [];
  readonly #limits: PlanLimits;
  readonly #stored: StoredNights;
  readonly #earlyOperations: Operation[] = [];
  readonly #reopening = new Reopening(this.operations);
  /** Plans that have updates other than the removal of amounts. */
  readonly #activePlans = new Set<string>();
  readonly #extras = new Map<string, AttributeValue>();
  readonly #spans = new Map<string, { first: number; last: number; days: DayMask }>();
  /** For each lane, the first and last night between which all other amounts are removed. */
  readonly #replaced = new Map<string, ReplacedRange>();
  readonly #overbooked = new Set<string>();
  readonly #decimalStyles = new DecimalStyles();

  constructor(context: DecisionContext, { updates = [], stored = new StoredNights(context.pages) }: BuilderInput = {}) {
    this.context = context;
    this.stays = new StayKinds(context, stored);
    this.#limits = new PlanLimits(context, updates);
    this.#stored = stored;
    for (const { target, set, stays } of updates) if (stays) this.stays.note(target, set, stays);
    this.targets = new Targets(context);
    this.clipper = new RangeClipper(context);
  }

  apply(update: Update): void {
    const { amounts } = update;
    // Skips repeated amounts, because they would report the same faults again.
    if (amounts?.isRepeated && this.context.report.refused) return;
    if (amounts) this.#decimalStyles.note(amounts.rates, this.context.report);
    const values = amounts && mergeAmounts(amounts.rates, this.context);
    const resolvedUpdate = this.#resolve(update);
    if (!resolvedUpdate) return;
    const resolvedValues = this.#resolveStays(resolvedUpdate);
    const groups = groupsIn(resolvedValues);
    for (const group of groups)
      this.#setGroup(group, groups.length === 1 ? resolvedValues : groupValues(group, resolvedValues), resolvedUpdate);
    if (amounts && values && this.#canSet("amounts", resolvedUpdate)) this.#setAmounts(values, resolvedUpdate);
  }

  /** Sets `values`. `replace` has the same meaning as in `AssignOperation` and defaults to false. */
  assign(
    { category, lane, range: { first, last, days } }: LaneRange,
    set: Pick<AssignOperation, "group" | "values"> & Partial<Pick<AssignOperation, "replace">>,
  ): void {
    const { group, values, replace = false } = set;
    this.operations.push({ type: "assign", kind: pageKind(group), category, lane, first, last, days, group, replace, values });
  }

  /** Call once, after the last update. A removed plan that gets new values becomes active again. */
  finish(): BuiltDecision {
    this.#reopening.flush();
    this.clipper.finish();
    const taxes = collectTaxes(this.operations);
    const firstOperations = [...[...this.#replaced.values()].map(toRemoval), ...this.#earlyOperations];
    const plans = this.targets.plans().filter((code) => this.#activePlans.has(code) || this.context.plans.has(code));
    return {
      summary: this.summary.text(),
      taxes,
      operations: firstOperations.length === 0 ? this.operations : [...firstOperations, ...this.operations],
      plans: plans.map((code) => (this.#activePlans.has(code) ? { code, status: "active", taxes: taxes.get(code) } : { code })),
    };
  }

  /** Returns `undefined` if the update changes nothing, after reporting the reason. */
  #resolve(update: Update): ResolvedUpdate | undefined {
    const { at, target, nights, amounts } = update;
    const categories = this.targets.categories(target, at);
    const isUsable = target.plan === undefined || this.targets.plan(target.plan, target.category, at);
    if (target.plan !== undefined && amounts?.rates.length !== 0) this.#activePlans.add(target.plan);
    const range = nights && this.clipper.clip(nights, at);
    return range && isUsable ? { update, categories, range } : undefined;
  }

  #resolveStays({ update: { at, target, set, stays }, categories, range }: ResolvedUpdate): AttributeMap {
    if (!stays) return set;
    const resolvedValues = this.stays.resolve(target, set, stays);
    this.stays.warnOfRemainingLimits({ at, target, range, categories }, resolvedValues, stays);
    return resolvedValues;
  }

  /** Rates for individual rooms are not stored. */
  #canSet(group: Group, { update: { at, target } }: ResolvedUpdate): boolean {
    if (pageKind(group) === "inventory" || target.room === undefined) return true;
    this.context.report.warn(note(`${group === "allotment" ? "allotments" : group} for individual rooms are not stored`), at);
    return false;
  }

  #setGroup(group: Group, values: AttributeMap, resolved: ResolvedUpdate): void {
    const { at, target } = resolved.update;
    if (!this.#canSet(group, resolved)) return;
    if (target.wholeHotel && target.category === undefined && isTotal(values)) this.context.report.warn(totalNotStored(), at);
    else if (group === "closed") this.#close(values, resolved);
    else if (group === "counts") this.#setCounts(values, resolved);
    else this.#setRate(group, values, resolved);
  }

  #close(values: AttributeMap, { categories, range }: ResolvedUpdate): void {
    this.#reopening.flush();
    for (const category of categories) this.assign({ category, lane: "", range }, { group: "closed", values });
    this.summary.what ??= "closed";
    this.summary.add("All categories", range);
  }

  #setCounts(values: AttributeMap, { update, categories, range }: ResolvedUpdate): void {
    const { at, target } = update;
    if (target.category === undefined && target.plan !== undefined && !target.wholeHotel)
      this.context.report.warn(note("BookingLimit without InvTypeCode: applied to every category"), at);
    const { room, plan } = target;
    for (const category of categories) {
      for (const part of this.#limits.split({ category, room, plan }, range)) {
        if (part.isAllotment) this.#setPlanLimit(values, { update, categories: [category], range: part.range });
        else this.#setCategoryCounts(values, { category, lane: room ?? "", range: part.range }, update);
      }
    }
  }

  #setCategoryCounts(values: AttributeMap, { category, lane, range }: LaneRange, { at, target: { plan } }: Update): void {
    if (values.get("available") !== undefined) this.#reopening.add(category, lane, range);
    this.assign({ category, lane, range }, { group: "counts", values });
    if (plan !== undefined && this.#stored.has("allotment", { kind: "rate", category, lane: plan }, range))
      this.assign({ category, lane: plan, range }, { group: "allotment", values: NO_ALLOTMENT });
    const name = roomName(category, lane);
    this.#noteOverlap(name, range);
    this.summary.what ??= describeCounts(values);
    this.summary.add(ourRoomName(this.context, category, lane), range);
    this.#checkRooms({ category, room: lane, sent: sumValues(values, SENT_ROOM_ATTRIBUTES) }, at);
  }

  /** Stores a plan's booking limit as its allotment. */
  #setPlanLimit(values: AttributeMap, resolved: ResolvedUpdate): void {
    const { update, categories } = resolved;
    const { report, profile } = this.context;
    if (!this.#canSet("allotment", resolved)) return;
    if (profile.limitsWithPlan === "auto") report.warn(limitsDiffer(categories[0]!), update.at);
    if (values.get("threshold") !== undefined) report.warn(note("BookingThreshold for an allotment is not stored"), update.at);
    this.#setRate("allotment", new Map([["allotment", values.get("available")]]), resolved);
  }

  #setRate(group: Group, values: AttributeMap, { update: { target }, categories, range }: ResolvedUpdate): void {
    const lane = target.plan ?? "";
    for (const category of categories) {
      this.assign({ category, lane, range }, { group, values });
      const name = rateName(category, lane);
      if (group === "allotment") this.#noteOverlap(name, range);
      this.summary.what ??= describeValues(values);
      this.summary.add(ourRateName(this.context, category, lane), range);
    }
  }

  #setAmounts(values: AmountValues, { update, categories, range }: ResolvedUpdate): void {
    const { at, target } = update;
    const { rates, replace, isRepeated } = update.amounts!;
    const { report, property } = this.context;
    const currency = values.get("currency") ?? property.currency;
    // All amounts for a night share one currency, so these amounts remove those in other currencies.
    if (!replace && currency !== property.currency)
      report.warn(note(`amounts in currencies other than ${currency} were removed from these nights`), at);
    for (const category of categories) {
      const lane = { category, lane: target.plan ?? "", range };
      for (const rate of rates) this.#checkGuests(category, rate);
      if (!replace && !isRepeated) this.#clearOtherSides(lane, values);
      this.assign(lane, { group: "amounts", values, replace });
      if (update.amounts!.replacesRange) this.#noteReplaced(lane);
      if (!isRepeated) this.#noteAmounts(lane, values);
    }
  }

  #noteReplaced({ category, lane, range: { first, last } }: LaneRange): void {
    const replacedRange = this.#replaced.getOrInsertComputed(rateName(category, lane), () => ({ category, lane, first, last }));
    replacedRange.first = Math.min(replacedRange.first, first);
    replacedRange.last = Math.max(replacedRange.last, last);
  }

  #noteAmounts({ category, lane, range }: LaneRange, values: AmountValues): void {
    const name = rateName(category, lane);
    const overlaps = this.#noteOverlap(name, range);
    const extras = values.get("extras");
    if (extras !== undefined) {
      // Amounts in overlapping lines are combined, but the additional-guest amounts are stored as a single value.
      if (overlaps && (this.#extras.get(name) ?? extras) !== extras)
        this.context.report.advise(`lines for additional guests of ${name} overlap: the later line was applied`);
      this.#extras.set(name, extras);
    }
    this.summary.what ??= describeAmounts(values);
    this.summary.add(ourRateName(this.context, category, lane), range);
  }

  /**
   * If an amount is sent only before or only after tax, clears the stored amount for the other side. This is done first, because a later
   * line may set that amount.
   */
  #clearOtherSides({ category, lane, range }: LaneRange, amounts: AmountValues): void {
    const otherSides = [...amounts.keys()].map(otherTaxSide).filter((other) => other !== undefined && !amounts.has(other));
    if (otherSides.length === 0) return;
    const values: AttributeMap = new Map(otherSides.map((other) => [other!, undefined]));
    this.#earlyOperations.push({ type: "assign", kind: "rate", category, lane, ...range, group: "amounts", replace: false, values });
  }

  /** Records an update and returns whether it overlaps an earlier one. The result is exact only if updates are in date order. */
  #noteOverlap(name: string, { first, last, days }: WeekdayRange): boolean {
    const span = this.#spans.get(name);
    if (!span) {
      this.#spans.set(name, { first, last, days });
      return false;
    }
    const overlaps = first <= span.last && last >= span.first && (days & span.days) !== 0;
    if (overlaps) this.context.report.advise(`ranges for ${name} overlap or are not in order: the later line was applied`);
    span.first = Math.min(span.first, first);
    span.last = Math.max(span.last, last);
    span.days |= days;
    return overlaps;
  }

  #checkRooms({ category, room, sent }: { category: string; room: string; sent: number }, at: SourceLocation): void {
    const rooms = room === "" ? this.context.categories.get(category)!.rooms : 1;
    if (sent <= rooms || rooms === 0) return;
    const name = roomName(category, room);
    if (this.#overbooked.has(name)) return;
    this.#overbooked.add(name);
    this.context.report.warn(doubtfulValue(`${name} has ${formatCount(rooms, "room")}, but more were sent`), at);
  }

  #checkGuests(category: string, { amounts, at }: Rate): void {
    const maxOccupancy = this.context.categories.get(category)!.max_occupancy;
    const guests = amounts.reduce((highest, amount) => Math.max(highest, amount.guests), 0);
    if (guests > maxOccupancy)
      this.context.report.warn(
        note(`amounts for ${guests} guests were stored, but ${category} has a maximum occupancy of ${maxOccupancy}`),
        at,
      );
  }
}

function toRemoval({ category, lane, first, last }: ReplacedRange): Operation {
  return { type: "clear", kind: "rate", groups: ["amounts"], category, lane, from: first, to: last };
}

const NO_ALLOTMENT: AttributeMap = new Map([["allotment", undefined]]);

function groupValues(group: Group, set: AttributeMap): AttributeMap {
  return new Map([...set].filter(([attribute]) => findGroup(attribute) === group));
}

/** Attributes that contain numbers of rooms in a category. */
const SENT_ROOM_ATTRIBUTES: readonly Attribute[] = ["available", "outOfOrder", "offMarket"];
const TOTAL_ATTRIBUTES: readonly Attribute[] = [...SENT_ROOM_ATTRIBUTES, "physical", "allotment"];

function isTotal(values: AttributeMap): boolean {
  return sumValues(values, TOTAL_ATTRIBUTES) > 0;
}

function sumValues(values: AttributeMap, attributes: readonly Attribute[]): number {
  return attributes.reduce((sum, attribute) => sum + Number(values.get(attribute) ?? 0), 0);
}
