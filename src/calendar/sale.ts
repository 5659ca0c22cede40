import { attributesIn, RESTRICTION_ATTRIBUTES } from "./attributes.ts";
import { categoryNights, type CountNight, type InventoryLane, type RateLane, type RateNight, withStopSells } from "./night-values.ts";
import type { Night } from "./night.ts";
import { type Price, closestPrice } from "./price.ts";
import { type CategoryOnSale, isClosedState, isSameVerdict, type Verdict, decideVerdict } from "./verdict.ts";

/** Which of `count` nights can be sold, according to the calendar and the property's settings. */
export type SaleDates = {
  assumeOpen: boolean;
  /** Number of nights at the start that are in the past. */
  past: number;
  /** Number of nights up to the end of the booking horizon. Later nights can't be sold. */
  bookable: number;
  count: number;
};

type SaleDateRange = { first: Night; count: number; today: Night };

export function saleDates(property: { assumeOpen: boolean; horizonDays: number }, { first, count, today }: SaleDateRange): SaleDates {
  const { assumeOpen, horizonDays } = property;
  return { assumeOpen, past: today - first, bookable: today + horizonDays + 1 - first, count };
}

/** One category's received values, from which grids and summaries derive what can be sold. */
type CategoryLanes = SaleDates & {
  inactive: CategoryOnSale["inactive"];
  inventory: readonly InventoryLane[];
  /** The category's rates without a rate plan. Their stop sell applies to every plan. */
  general: readonly RateNight[] | undefined;
};

/** Returns the kind of record whose status takes a category off sale, if any. */
export function findInactiveRecord(property: { status: string }, category: { status: string }): CategoryOnSale["inactive"] {
  if (property.status === "inactive" || property.status === "archived") return "property";
  return category.status === "inactive" ? "category" : undefined;
}

export type CountedNight = { counts: CountNight; verdict: Verdict };

export type PricedNight = {
  rate: RateNight;
  received: boolean;
  price: Price | undefined;
  verdict: Verdict;
};

/** Returns the category's nights with their counts and verdicts. Consecutive nights with the same values share one object. */
export function decideCategoryNights(lanes: CategoryLanes): readonly CountedNight[] {
  return countedNights(lanes, categoryNights(lanes), "category");
}

export function decideRoomNights(lanes: CategoryLanes, room: InventoryLane): readonly CountedNight[] {
  return countedNights(lanes, withStopSells(room.nights, lanes.general), "room");
}

function countedNights(lanes: CategoryLanes, all: readonly CountNight[], counted: CategoryOnSale["counted"]): CountedNight[] {
  const nights: CountedNight[] = [];
  for (const [index, counts] of all.entries()) {
    const verdict = decideVerdict({ ...factsAt(lanes, index), counts, counted });
    const before = nights[index - 1];
    nights.push(before?.counts === counts && isSameVerdict(before.verdict, verdict) ? before : { counts, verdict });
  }
  return nights;
}

/** `guests` selects the price. If it is undefined, a night without a price can still be sold. */
type PlanForSale = { lane: RateLane; category: readonly CountedNight[]; guests: number | undefined; isRetired: boolean };

export function decidePlanNights(lanes: CategoryLanes, { lane, category, guests, isRetired }: PlanForSale): readonly PricedNight[] {
  const nights: PricedNight[] = [];
  const isGeneral = lane.lane === "";
  for (const [index, rate] of lane.nights.entries()) {
    const before = nights[index - 1];
    const ratedNight = before?.rate === rate ? before : { rate, received: hasReceivedValues(rate), price: priceFor(rate, guests) };
    const night = { ...factsAt(lanes, index), counts: category[index]!.counts, counted: "category" as const };
    const hasPrice = guests === undefined ? undefined : ratedNight.price !== undefined;
    // The counts already include the category's stop sell.
    const own = isGeneral ? { ...rate, stopSell: undefined } : rate;
    const verdict = decideVerdict(night, { rate: own, hasPrice, assumeOpen: lanes.assumeOpen, isRetired });
    nights.push(ratedNight === before && isSameVerdict(before.verdict, verdict) ? before : { ...ratedNight, verdict });
  }
  return nights;
}

function priceFor(rate: RateNight, guests: number | undefined): Price | undefined {
  return guests === undefined ? undefined : closestPrice(rate, guests);
}

function factsAt(
  { inactive, past, bookable }: CategoryLanes,
  index: number,
): Pick<CategoryOnSale, "inactive" | "isPast" | "isBeyondHorizon"> {
  return { inactive, isPast: index < past, isBeyondHorizon: index >= bookable };
}

const RECEIVED_ATTRIBUTES = [...attributesIn("allotment"), ...RESTRICTION_ATTRIBUTES];

export function hasReceivedValues(night: RateNight): boolean {
  return night.amounts.length > 0 || night.mealPlan !== undefined || RECEIVED_ATTRIBUTES.some((name) => night[name] !== undefined);
}

/**
 * Returns the price in minor units, or undefined if the night can't be sold, or if the price is in another currency or for a longer stay.
 */
export function sellablePrice({ verdict, price }: PricedNight, currency: string): number | undefined {
  return verdict.state === "sellable" && price?.currency === currency && price.nights <= 1 ? price.minor : undefined;
}

/** Returns the number of rooms that can still be sold: 0 if the night is closed, or `undefined` if no count was received. */
export function roomsLeft({ counts, verdict }: CountedNight): number | undefined {
  return isClosedState(verdict.state) ? 0 : counts.available;
}

/** Adds up the rooms left in all categories on one night. Ignores categories without a count. */
export function totalRoomsLeft(nights: readonly CountedNight[]): number | undefined {
  const knownCounts = nights.map(roomsLeft).filter((rooms) => rooms !== undefined);
  return knownCounts.length === 0 ? undefined : knownCounts.reduce((sum, rooms) => sum + rooms, 0);
}
