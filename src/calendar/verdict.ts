import type { CountNight, RateNight } from "./night-values.ts";

/**
 * Whether a night can be sold under a rate plan, or why not. If there are several reasons, the first in this order is the state. `badge`
 * marks the night in a grid. Nights with `closed` are shown as closed.
 */
export const SALE_STATES = {
  sellable: { meaning: "sellable: open, not past, with rooms left and a price" },
  "not active": { meaning: "category or property inactive", badge: "INACTIVE", closed: true },
  "hotel closed": { meaning: "hotel closed", badge: "CLOSED", closed: true },
  "stop sell": { meaning: "stop sell for the whole category", badge: "STOPPED", closed: true },
  "not opened": { meaning: "not opened by a message, which this property requires", badge: "NOT OPEN", closed: true },
  "no count": { meaning: "no room count received", badge: "NO COUNT" },
  "sold out": { meaning: "no rooms or no allotment left", badge: "SOLD OUT" },
  "no price": { meaning: "no price received", badge: "NO PRICE" },
  "beyond horizon": { meaning: "after the property's booking horizon" },
  past: { meaning: "past night" },
} as const satisfies Record<string, { meaning: string; badge?: string; closed?: true }>;

export type SaleState = keyof typeof SALE_STATES;

/** `of` is what the reason applies to: the property or category as a whole, or only the rate plan. `message` set the value. */
export type Reason = {
  state: Exclude<SaleState, "sellable">;
  of: "property" | "category" | "plan";
  message?: number | undefined;
};

/** `state` is the first of the reasons, or `sellable` if there is none. */
export type Verdict = { state: SaleState; reasons: readonly Reason[] };

export type NightOnSale = {
  isActive: boolean;
  isPast: boolean;
  /** After the property's booking horizon. */
  isBeyond: boolean;
  assumeOpen: boolean;
  hasPrice: boolean;
  /** With the category's stop sell. */
  counts: CountNight;
  rate: RateNight;
  /** The category's rates without a rate plan. Their status applies to every plan that has none. */
  general: RateNight | undefined;
};

const SELLABLE: Verdict = { state: "sellable", reasons: [] };

export function verdictOf(night: NightOnSale): Verdict {
  const reasons = [...statusReasons(night), ...roomReasons(night)];
  if (!night.hasPrice) reasons.push({ state: "no price", of: "plan" });
  reasons.push(...dateReasons(night));
  return reasons.length === 0 ? SELLABLE : { state: reasons[0]!.state, reasons };
}

function statusReasons({ isActive, assumeOpen, counts, rate, general }: NightOnSale): Reason[] {
  const reasons = isActive ? [] : [NOT_ACTIVE];
  if (counts.closed) reasons.push({ state: "hotel closed", of: "property", message: counts.setters.closed });
  if (rate.stopSell) reasons.push({ state: "stop sell", of: "plan", message: rate.setters.restrictions });
  if (general?.stopSell && general !== rate) reasons.push({ state: "stop sell", of: "category", message: general.setters.restrictions });
  const isUnopened = rate.stopSell === undefined && general?.stopSell === undefined && !assumeOpen;
  if (isUnopened) reasons.push({ state: "not opened", of: "plan" });
  return reasons;
}

const NOT_ACTIVE: Reason = { state: "not active", of: "category" };

/** A plan with an allotment can be sold even if its category has no count. */
function roomReasons({ counts, rate }: NightOnSale): Reason[] {
  const reasons: Reason[] = [];
  if (counts.available === undefined && rate.allotment === undefined) reasons.push({ state: "no count", of: "category" });
  if (counts.available === 0) reasons.push({ state: "sold out", of: "category", message: counts.setters.counts });
  if (rate.allotment === 0) reasons.push({ state: "sold out", of: "plan", message: rate.setters.allotment });
  return reasons;
}

function dateReasons({ isPast, isBeyond }: Pick<NightOnSale, "isPast" | "isBeyond">): Reason[] {
  if (isBeyond) return [{ state: "beyond horizon", of: "property" }];
  return isPast ? [{ state: "past", of: "property" }] : [];
}

/** Whether the category can be sold on a night under any plan, as far as it does not depend on the plan. */
export function categoryVerdict({ counts, isActive, ...dates }: Pick<NightOnSale, "counts" | "isActive" | "isPast" | "isBeyond">): Verdict {
  const reasons = isActive ? [] : [NOT_ACTIVE];
  const { closed, stopSell, available, setters } = counts;
  if (closed) reasons.push({ state: "hotel closed", of: "property", message: setters.closed });
  if (stopSell) reasons.push({ state: "stop sell", of: "category", message: setters.restrictions });
  if (available === undefined) reasons.push({ state: "no count", of: "category" });
  if (available === 0) reasons.push({ state: "sold out", of: "category", message: setters.counts });
  reasons.push(...dateReasons(dates));
  return reasons.length === 0 ? SELLABLE : { state: reasons[0]!.state, reasons };
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

export function isClosedState(state: SaleState): boolean {
  return "closed" in SALE_STATES[state];
}

export type CountState = "closed" | "open" | "sold out" | "no count";

type Rooms = Pick<CountNight, "closed" | "stopSell" | "available">;

export function countState({ closed, stopSell, available }: Rooms): CountState {
  if (closed || stopSell) return "closed";
  if (available === undefined) return "no count";
  return available === 0 ? "sold out" : "open";
}

/** Rooms that can still be sold: 0 if the hotel or the category is closed, `undefined` if no count was received. */
export function roomsLeft({ closed, stopSell, available }: Rooms): number | undefined {
  return closed || stopSell ? 0 : available;
}

export function totalRoomsLeft(nights: readonly Rooms[]): number | undefined {
  const known = nights.map(roomsLeft).filter((rooms) => rooms !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, rooms) => sum + rooms, 0);
}
