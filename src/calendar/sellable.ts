import type { CountNight, RateNight } from "./night-values.ts";

/**
 * Whether a night can be sold under a rate plan; otherwise the reason. If there are several reasons, the first in this order applies.
 * `badge` marks the night in a grid. Nights with `closed` are shown as closed.
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
  past: { meaning: "past night" },
} as const satisfies Record<string, { meaning: string; badge?: string; closed?: true }>;

export type SaleState = keyof typeof SALE_STATES;

export type Sale = { state: SaleState; message?: number | undefined };

export type NightOnSale = {
  isActive: boolean;
  isPast: boolean;
  assumeOpen: boolean;
  hasPrice: boolean;
  counts: CountNight;
  rate: RateNight;
  /** The category's rates without a rate plan. Their stop sell applies to every plan. */
  general: RateNight | undefined;
};

export function saleOf({ isActive, isPast, assumeOpen, hasPrice, counts, rate, general }: NightOnSale): Sale {
  if (!isActive) return { state: "not active" };
  if (counts.closed) return { state: "hotel closed", message: counts.setters.closed };
  if (rate.stopSell) return { state: "stop sell", message: rate.setters.restrictions };
  if (general?.stopSell) return { state: "stop sell", message: general.setters.restrictions };
  if (rate.stopSell === undefined && general?.stopSell === undefined && !assumeOpen) return { state: "not opened" };
  if (counts.available === undefined && rate.allotment === undefined) return { state: "no count" };
  if (counts.available === 0) return { state: "sold out", message: counts.setters.counts };
  if (rate.allotment === 0) return { state: "sold out", message: rate.setters.allotment };
  if (!hasPrice) return { state: "no price" };
  return { state: isPast ? "past" : "sellable" };
}

export function isClosedState(state: SaleState): boolean {
  return "closed" in SALE_STATES[state];
}

export type CountState = "closed" | "open" | "sold out" | "no count";

export function countState({ closed, available }: Pick<CountNight, "closed" | "available">): CountState {
  if (closed) return "closed";
  if (available === undefined) return "no count";
  return available === 0 ? "sold out" : "open";
}

/** Rooms that can still be sold: 0 if the hotel is closed, `undefined` if no count was received. */
export function roomsLeft({ closed, available }: Pick<CountNight, "closed" | "available">): number | undefined {
  return closed ? 0 : available;
}

export function totalRoomsLeft(nights: readonly Pick<CountNight, "closed" | "available">[]): number | undefined {
  const known = nights.map(roomsLeft).filter((rooms) => rooms !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, rooms) => sum + rooms, 0);
}
