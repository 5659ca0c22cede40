import { RESTRICTIONS } from "../../calendar/attributes.ts";
import { laneName } from "../../calendar/lane.ts";
import { categoryNights, type CountNight } from "../../grid/count-night.ts";
import { byLane, emptyLane, type InventoryLane, type RateLane, rateLane, type RateNight } from "../../grid/lane.ts";
import type { GridCategory } from "../../grid/scene.ts";
import { type Price, priceOf } from "./price.ts";

/** Whether a night can be sold, or the first reason against it, from the hotel down to the price and the day. */
export type SaleState =
  | "sellable"
  | "not active"
  | "hotel closed"
  | "stop sell"
  | "not opened"
  | "no count"
  | "sold out"
  | "no price"
  | "past";

export type PricedNight = {
  /** As it was received. */
  rate: RateNight;
  /** Anything but an allotment was received. */
  received: boolean;
  price: Price | undefined;
  sale: SaleState;
};

/** One category under one rate plan; plan '' is what was received for the category without a rate plan. */
export type RateRow = { category: GridCategory; plan: string; nights: readonly PricedNight[] };

export type RateLanes = {
  categories: readonly GridCategory[];
  /** Show only this plan; empty: all that have anything. */
  plan: string;
  inventory: readonly InventoryLane[];
  rates: readonly RateLane[];
  /** Names of rate lanes to show that may have nothing. */
  also: ReadonlySet<string>;
  assumeOpen: boolean;
  isActive(category: GridCategory): boolean;
  /** Number of nights, from the first on, that are over. */
  past: number;
  /** Number of nights. */
  count: number;
};

/** A row for every category and rate plan that has anything or is shown also, at least one for every category. */
export function rateRows(lanes: RateLanes): RateRow[] {
  const inventory = Map.groupBy(lanes.inventory, (lane) => lane.category);
  const rates = Map.groupBy(lanes.rates, (lane) => lane.category);
  return lanes.categories.flatMap((category) => {
    const all = rates.get(category.code) ?? [];
    const counts = categoryNights(inventory.get(category.code) ?? [], lanes.count);
    const general = all.find(({ lane }) => lane === "")?.nights ?? [];
    const { assumeOpen, past } = lanes;
    const scene = { guests: category.standardOccupancy, counts, general, assumeOpen, active: lanes.isActive(category), past };
    return shownLanes(category.code, all, lanes).map((lane) => ({ category, plan: lane.lane, nights: pricedNights(lane, scene) }));
  });
}

function shownLanes(category: string, all: readonly RateLane[], { plan, count, also }: RateLanes): RateLane[] {
  const isAlso = ({ lane }: RateLane) => also.has(laneName({ kind: "rate", category, lane }));
  const shown = all.filter((lane) => (plan === "" ? lane.nights.some(isReceived) || isAlso(lane) : lane.lane === plan));
  return shown.length === 0 ? [rateLane(emptyLane(category, plan), count)] : shown.toSorted(byLane);
}

/** What a lane's nights are priced and judged with. */
type CategoryScene = {
  guests: number;
  counts: readonly CountNight[];
  /** The nights of the category under every plan. */
  general: readonly RateNight[];
  assumeOpen: boolean;
  active: boolean;
  past: number;
};

/** A night like the one before is the same record: most are. */
function pricedNights(lane: RateLane, scene: CategoryScene): PricedNight[] {
  const nights: PricedNight[] = [];
  for (const [index, rate] of lane.nights.entries()) {
    const before = nights[index - 1];
    const same = before?.rate === rate ? before : { rate, received: isReceived(rate), price: priceOf(rate, scene.guests) };
    const sale = saleState(scene, index, same);
    nights.push(same === before && before.sale === sale ? before : { ...same, sale });
  }
  return nights;
}

function saleState(scene: CategoryScene, index: number, { rate, price }: Pick<PricedNight, "rate" | "price">): SaleState {
  const { closed, available } = scene.counts[index]!;
  const closedForAll = scene.general[index]?.stopSell;
  if (!scene.active) return "not active";
  if (closed) return "hotel closed";
  if (rate.stopSell || closedForAll) return "stop sell";
  if (rate.stopSell === undefined && closedForAll === undefined && !scene.assumeOpen) return "not opened";
  if (available === undefined) return "no count";
  if (available === 0 || rate.allotment === 0) return "sold out";
  if (price === undefined) return "no price";
  return index < scene.past ? "past" : "sellable";
}

function isReceived(night: RateNight): boolean {
  return night.amounts.length > 0 || night.mealPlan !== undefined || RESTRICTIONS.some((name) => night[name] !== undefined);
}
