import { type Attribute, type AttributeValue, findDefinition, RESTRICTION_ATTRIBUTES } from "./attributes.ts";
import type { CountNight, RateNight } from "./night-values.ts";

/**
 * Whether a night can be sold, and if not, why. If several reasons apply, the state is the one that comes first in this table. `badge`
 * marks the night in a grid. Nights with `closed` are shown as closed.
 */
export const SALE_STATES = {
  sellable: { meaning: "sellable: open and not in the past, with rooms left and a price" },
  "not active": { meaning: "property or category inactive, or rate plan retired", badge: "Inactive", closed: true },
  "hotel closed": { meaning: "hotel closed", badge: "Closed", closed: true },
  "stop sell": { meaning: "stop sell on the category or the rate plan", badge: "Closed", closed: true },
  "not opened": { meaning: "this property requires a message to open a night, and none has", badge: "Not open", closed: true },
  "no count": { meaning: "no room count received", badge: "No count" },
  "sold out": { meaning: "no rooms or no allotment left", badge: "Sold out" },
  "no price": { meaning: "no price received", badge: "No price" },
  "beyond horizon": { meaning: "beyond the property's booking horizon" },
  past: { meaning: "past night" },
} as const satisfies Record<string, { meaning: string; badge?: string; closed?: true }>;

export type SaleState = keyof typeof SALE_STATES;

/** The record that a reason applies to. `room` is one of the category's physical rooms. */
type ReasonSubject = "property" | "category" | "room" | "plan";

/** `message` is the ID of the last message that set a value in the same group. */
export type VerdictReason = { state: Exclude<SaleState, "sellable">; of: ReasonSubject; message?: number | undefined };

/** `state` is the state of the first reason, or `sellable` if there is none. */
export type Verdict = { state: SaleState; reasons: readonly VerdictReason[] };

/** Values for a category on one night that apply to all of its plans. */
export type CategoryOnSale = {
  /** The record whose status is `inactive`, if any. */
  inactive: "property" | "category" | undefined;
  isPast: boolean;
  /** Whether the night is beyond the property's booking horizon. */
  isBeyondHorizon: boolean;
  /** Counts, including the category's stop sell. */
  counts: CountNight;
  /** Whether the counts belong to the category or to one of its rooms. */
  counted: "category" | "room";
};

/** Values for one plan on one night. `hasPrice` is undefined if the price doesn't matter. */
export type PlanOnSale = { rate: RateNight; hasPrice: boolean | undefined; assumeOpen: boolean; isRetired: boolean };

const SELLABLE_VERDICT: Verdict = { state: "sellable", reasons: [] };

/**
 * Decides whether a night can be sold. If not, returns all reasons, most important first. Without a plan, checks only what applies to every
 * plan. Ignores limits such as closed to arrival or a minimum stay, because a stay can still include the night.
 */
export function decideVerdict(category: CategoryOnSale, plan?: PlanOnSale): Verdict {
  const reasons = [...closingReasons(category, plan), ...missingRoomReasons(category, plan)];
  if (plan?.hasPrice === false) reasons.push({ state: "no price", of: "plan" });
  if (category.isBeyondHorizon) reasons.push({ state: "beyond horizon", of: "property" });
  if (category.isPast) reasons.push({ state: "past", of: "property" });
  return reasons.length === 0 ? SELLABLE_VERDICT : { state: reasons[0]!.state, reasons };
}

function closingReasons(
  { inactive, counts: { closed, stopSell, setters } }: CategoryOnSale,
  plan: PlanOnSale | undefined,
): VerdictReason[] {
  const reasons: VerdictReason[] = [];
  if (inactive !== undefined) reasons.push({ state: "not active", of: inactive });
  if (plan?.isRetired) reasons.push({ state: "not active", of: "plan" });
  if (closed) reasons.push({ state: "hotel closed", of: "property", message: setters.closed });
  if (stopSell) reasons.push({ state: "stop sell", of: "category", message: setters.restrictions });
  if (plan?.rate.stopSell) reasons.push({ state: "stop sell", of: "plan", message: plan.rate.setters.restrictions });
  if (plan?.assumeOpen === false && stopSell === undefined && plan.rate.stopSell === undefined)
    reasons.push({ state: "not opened", of: "plan" });
  return reasons;
}

/** A plan with an allotment can be sold even if its category has no count. */
function missingRoomReasons({ counts: { available, setters }, counted }: CategoryOnSale, plan: PlanOnSale | undefined): VerdictReason[] {
  const reasons: VerdictReason[] = [];
  if (available === undefined && plan?.rate.allotment === undefined) reasons.push({ state: "no count", of: counted });
  if (available === 0) reasons.push({ state: "sold out", of: counted, message: setters.counts });
  if (plan?.rate.allotment === 0) reasons.push({ state: "sold out", of: "plan", message: plan.rate.setters.allotment });
  return reasons;
}

export function isSameVerdict(a: Verdict, b: Verdict): boolean {
  return (
    a.reasons.length === b.reasons.length &&
    a.reasons.every((reason, index) => {
      const other = b.reasons[index]!;
      return reason.state === other.state && reason.of === other.of && reason.message === other.message;
    })
  );
}

const LIMIT_ATTRIBUTES: ReadonlySet<Attribute> = new Set(RESTRICTION_ATTRIBUTES.filter((name) => name !== "stopSell"));

/** Whether a stored value limits which stays can include the night. The night itself can still be sold. */
export function isLimit(attribute: Attribute, value: AttributeValue): boolean {
  return LIMIT_ATTRIBUTES.has(attribute) && (typeof value === "string" || value >= (findDefinition(attribute)?.from ?? 1));
}

export function isClosedState(state: SaleState): boolean {
  return "closed" in SALE_STATES[state];
}

type ReasonCodes = { category: string; plan: string; room: string };

/** Whether the value is missing because the message in the reason removed it. */
export function isRemoval({ state, message }: VerdictReason): boolean {
  return message !== undefined && (state === "no price" || state === "no count");
}

/** Describes a reason, such as `stop sell on category DBL`. */
export function reasonText(reason: VerdictReason, codes: ReasonCodes): string {
  const { state, of } = reason;
  if (isRemoval(reason)) return state === "no price" ? "the price was removed" : "the room count was removed";
  if (state === "not active" && of === "plan") return `${subjectText(of, codes)} is retired`;
  if (state === "sold out" && of === "plan") return `no allotment left for ${subjectText(of, codes)}`;
  return REASON_TEXTS[state](subjectText(of, codes));
}

const REASON_TEXTS: Readonly<Record<VerdictReason["state"], (subject: string) => string>> = {
  "not active": (subject) => `${subject} is inactive`,
  "hotel closed": () => "hotel closed",
  "stop sell": (subject) => `stop sell on ${subject}`,
  "not opened": () => "this property requires a message to open a night, and none has",
  "no count": () => "no room count received",
  "sold out": (subject) => `no rooms left in ${subject}`,
  "no price": () => "no price received",
  "beyond horizon": () => "beyond the booking horizon",
  past: () => "past night",
};

function subjectText(of: ReasonSubject, { category, plan, room }: ReasonCodes): string {
  if (of === "property") return "the property";
  if (of === "room") return `room ${room}`;
  if (of === "category") return `category ${category}`;
  return plan === "" ? "rates without a rate plan" : `rate plan ${plan}`;
}
