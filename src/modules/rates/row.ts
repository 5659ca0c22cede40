import { attributesIn, RESTRICTIONS } from "../../calendar/attributes.ts";
import { laneName } from "../../calendar/lane.ts";
import {
  byLane,
  categoryNights,
  emptyLane,
  type InventoryLane,
  type RateLane,
  rateLane,
  type RateNight,
} from "../../calendar/night-values.ts";
import { isSameVerdict, type NightOnSale, type Verdict, verdictOf } from "../../calendar/verdict.ts";
import type { GridCategory } from "../../grid/context.ts";
import { type Price, priceOf } from "./price.ts";

export type PricedNight = {
  rate: RateNight;
  /** Whether anything was received. */
  received: boolean;
  price: Price | undefined;
  verdict: Verdict;
};

/** One category with one rate plan. An empty `plan` has the rates without a rate plan. */
export type RateRow = { category: GridCategory; plan: string; nights: readonly PricedNight[] };

export type RateLanes = {
  categories: readonly GridCategory[];
  /** The only plan to show, or empty for all plans with data. */
  plan: string;
  inventory: readonly InventoryLane[];
  rates: readonly RateLane[];
  include: ReadonlySet<string>;
  assumeOpen: boolean;
  isActive(category: GridCategory): boolean;
  /** Number of nights at the start that are past. */
  past: number;
  /** Number of nights until the booking horizon ends. */
  bookable: number;
  count: number;
};

export function rateRows(lanes: RateLanes): RateRow[] {
  const inventory = Map.groupBy(lanes.inventory, (lane) => lane.category);
  const rates = Map.groupBy(lanes.rates, (lane) => lane.category);
  return lanes.categories.flatMap((category) => {
    const all = rates.get(category.code) ?? [];
    const general = all.find(({ lane }) => lane === "")?.nights;
    const counts = categoryNights({ inventory: inventory.get(category.code) ?? [], general, count: lanes.count });
    const isActive = lanes.isActive(category);
    const factsAt = (index: number) => ({
      ...{ isActive, isPast: index < lanes.past, isBeyond: index >= lanes.bookable, assumeOpen: lanes.assumeOpen },
      ...{ counts: counts[index]!, general: general?.[index] },
    });
    return shownLanes(category.code, all, lanes).map((lane) => ({
      category,
      plan: lane.lane,
      nights: pricedNights(lane, category.standardOccupancy, factsAt),
    }));
  });
}

function shownLanes(category: string, all: readonly RateLane[], { plan, count, include }: RateLanes): RateLane[] {
  const isIncluded = ({ lane }: RateLane) => include.has(laneName({ kind: "rate", category, lane }));
  const shown = all.filter((lane) => (plan === "" ? lane.nights.some(isReceived) || isIncluded(lane) : lane.lane === plan));
  return shown.length === 0 ? [rateLane(emptyLane(category, plan), count)] : shown.toSorted(byLane);
}

type Facts = Omit<NightOnSale, "rate" | "hasPrice">;

/** Adjacent nights that are equal share one object. */
function pricedNights(lane: RateLane, guests: number, factsAt: (index: number) => Facts): PricedNight[] {
  const nights: PricedNight[] = [];
  for (const [index, rate] of lane.nights.entries()) {
    const before = nights[index - 1];
    const same = before?.rate === rate ? before : { rate, received: isReceived(rate), price: priceOf(rate, guests) };
    const verdict = verdictOf({ ...factsAt(index), rate, hasPrice: same.price !== undefined });
    nights.push(same === before && isSameVerdict(before.verdict, verdict) ? before : { ...same, verdict });
  }
  return nights;
}

const LIMITS = [...attributesIn("allotment"), ...RESTRICTIONS];

function isReceived(night: RateNight): boolean {
  return night.amounts.length > 0 || night.mealPlan !== undefined || LIMITS.some((name) => night[name] !== undefined);
}
