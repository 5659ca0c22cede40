import type { LaneNights } from "./lane.ts";
import { emptyLane, inventoryLane, type RateLane, rateLane } from "./night-values.ts";
import type { Night } from "./night.ts";
import {
  decideCategoryNights,
  type CountedNight,
  findInactiveRecord,
  hasReceivedValues,
  decidePlanNights,
  sellablePrice,
  totalRoomsLeft,
} from "./sale.ts";
import { isClosedState } from "./verdict.ts";

/** Problems that a property can have on a night, as stored bits. Never change or reuse a bit. */
export const PROBLEM_BITS = {
  /** Every active category is closed. */
  closed: 1,
  /** An active category or one of its rate plans is closed. */
  "stop sell": 2,
  /** An active category has no rooms left. */
  "sold out": 4,
  /** An active category that is not closed has no price. */
  "no price": 8,
  /** An active category has no count. */
  "no count": 16,
} as const;

export type NightProblem = keyof typeof PROBLEM_BITS;

/**
 * One night at a property, regardless of the current date and the booking horizon. `rooms` is the number of rooms that can still be sold,
 * or undefined if no count was received. `price` is the lowest sellable price, in minor units of the property's currency. `problems` has
 * one bit per problem.
 */
export type NightSummary = { rooms: number | undefined; price: number | undefined; problems: number };

/** Number of nights per stored block. Never change it. */
export const BLOCK_NIGHTS = 32;

/** Block number reserved for nights for which nothing was received. No stored night belongs to this block. */
export const EMPTY_BLOCK_ID = 0;

export function blockOf(night: Night): number {
  return Math.floor(night / BLOCK_NIGHTS);
}

export type SummaryProperty = { status: string; currency: string; assumeOpen: boolean };
export type SummaryCategory = { code: string; status: string; standardOccupancy: number };

export type SummarySources = {
  property: SummaryProperty;
  categories: readonly SummaryCategory[];
  /** Codes of retired rate plans. */
  retired: ReadonlySet<string>;
  inventory: readonly LaneNights[];
  rates: readonly LaneNights[];
};

/** Summarises `count` nights. All lanes start at the first night. */
export function summariseNights({ property, categories, retired, inventory, rates }: SummarySources, count: number): NightSummary[] {
  const inventoryByCategory = Map.groupBy(inventory, ({ category }) => category);
  const ratesOffered = rates.filter(({ lane }) => !retired.has(lane));
  const ratesByCategory = Map.groupBy(ratesOffered, ({ category }) => category);
  const activeCategories = categories
    .filter((category) => findInactiveRecord(property, category) === undefined)
    .map((category) => {
      const lanes = { inventory: inventoryByCategory.get(category.code) ?? [], rates: ratesByCategory.get(category.code) ?? [] };
      return categorySummaries(property, category, { ...lanes, count });
    });
  return Array.from({ length: count }, (_, index) => nightSummary(activeCategories, index));
}

type CategorySummary = { nights: readonly CountedNight[]; plans: readonly PlanNights[] };
type PlanNights = readonly { isClosed: boolean; hasPrice: boolean; price: number | undefined }[];
type CategoryLanes = { inventory: readonly LaneNights[]; rates: readonly LaneNights[]; count: number };

function categorySummaries(property: SummaryProperty, category: SummaryCategory, lanes: CategoryLanes): CategorySummary {
  const { count } = lanes;
  const rates = lanes.rates.map((lane) => rateLane(lane, count));
  const own = {
    ...{ assumeOpen: property.assumeOpen, past: 0, bookable: Infinity, count, inactive: undefined },
    inventory: lanes.inventory.map((lane) => inventoryLane(lane, count)),
    general: rates.find(({ lane }) => lane === "")?.nights,
  };
  const nights = decideCategoryNights(own);
  const plans = plansWithData(category.code, rates, count).map((lane) =>
    decidePlanNights(own, { lane, category: nights, guests: category.standardOccupancy, isRetired: false }).map((night) => ({
      isClosed: isClosedState(night.verdict.state),
      hasPrice: night.price !== undefined,
      price: sellablePrice(night, property.currency),
    })),
  );
  return { nights, plans };
}

function plansWithData(category: string, rates: readonly RateLane[], count: number): readonly RateLane[] {
  const receivedRates = rates.filter(({ nights }) => nights.some(hasReceivedValues));
  return receivedRates.length > 0 ? receivedRates : [rateLane(emptyLane(category, ""), count)];
}

function nightSummary(activeCategories: readonly CategorySummary[], index: number): NightSummary {
  const prices = activeCategories
    .flatMap(({ plans }) => plans.map((nights) => nights[index]!.price))
    .filter((price) => price !== undefined);
  return {
    rooms: totalRoomsLeft(activeCategories.map(({ nights }) => nights[index]!)),
    price: prices.length === 0 ? undefined : Math.min(...prices),
    problems: activeCategories.length === 0 ? 0 : problemBits(activeCategories, index),
  };
}

function problemBits(activeCategories: readonly CategorySummary[], index: number): number {
  const isClosed = ({ nights }: CategorySummary) => isClosedState(nights[index]!.verdict.state);
  const hasClosedPlan = ({ plans }: CategorySummary) => plans.some((nights) => nights[index]!.isClosed);
  const hasPrice = ({ plans }: CategorySummary) => plans.some((nights) => nights[index]!.hasPrice);
  const hasProblems: Readonly<Record<NightProblem, boolean>> = {
    closed: activeCategories.every(isClosed),
    "stop sell": activeCategories.some((category) => isClosed(category) || hasClosedPlan(category)),
    "sold out": activeCategories.some(({ nights }) => nights[index]!.counts.available === 0),
    "no price": activeCategories.some((category) => !isClosed(category) && !hasPrice(category)),
    "no count": activeCategories.some(({ nights }) => nights[index]!.counts.available === undefined),
  };
  return Object.entries(PROBLEM_BITS).reduce((bits, [name, bit]) => (hasProblems[name as NightProblem] ? bits | bit : bits), 0);
}

export function problemNames(problems: number): NightProblem[] {
  return (Object.keys(PROBLEM_BITS) as NightProblem[]).filter((name) => (problems & PROBLEM_BITS[name]) !== 0);
}

/** Bytes per night: 2 for rooms, 5 for the price and 1 for problems. The maximum value of rooms or price means that nothing was received. */
const NIGHT_BYTES = 8;
const PROBLEMS_OFFSET = 7;
const NO_ROOMS = 0xffff;
const NO_PRICE = 0xffffffffff;

export function encodeSummaries(nights: readonly NightSummary[]): Uint8Array {
  const bytes = Buffer.alloc(nights.length * NIGHT_BYTES);
  for (const [index, { rooms, price, problems }] of nights.entries()) {
    bytes.writeUInt16LE(Math.min(rooms ?? NO_ROOMS, NO_ROOMS), index * NIGHT_BYTES);
    bytes.writeUIntLE(Math.min(price ?? NO_PRICE, NO_PRICE), index * NIGHT_BYTES + 2, 5);
    bytes.writeUInt8(problems, index * NIGHT_BYTES + PROBLEMS_OFFSET);
  }
  return bytes;
}

export function decodeSummary(bytes: Uint8Array, index: number): NightSummary {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + index * NIGHT_BYTES, NIGHT_BYTES);
  const [rooms, price] = [view.readUInt16LE(0), view.readUIntLE(2, 5)];
  return {
    rooms: rooms === NO_ROOMS ? undefined : rooms,
    price: price === NO_PRICE ? undefined : price,
    problems: view.readUInt8(PROBLEMS_OFFSET),
  };
}

/** Whether any night from index `first` to `last` has the problem. Faster than decoding every night. */
export function hasProblem(bytes: Uint8Array, { first, last }: { first: number; last: number }, problem: NightProblem): boolean {
  for (let index = first; index <= last; index++) {
    if ((bytes[index * NIGHT_BYTES + PROBLEMS_OFFSET]! & PROBLEM_BITS[problem]) !== 0) return true;
  }
  return false;
}
