import { laneName } from "../../calendar/lane.ts";
import { compareLanes, emptyLane, type InventoryLane, type RateLane, rateLane } from "../../calendar/night-values.ts";
import {
  decideCategoryNights,
  type CountedNight,
  hasReceivedValues,
  decidePlanNights,
  type PricedNight,
  type SaleDates,
} from "../../calendar/sale.ts";
import type { GridCategory } from "../../grid/context.ts";

/** A category with one rate plan. An empty `plan` means rates without a rate plan. `counted` contains the category's nights. */
export type RateRow = { category: GridCategory; plan: string; nights: readonly PricedNight[]; counted: readonly CountedNight[] };

export type RateLanes = {
  categories: readonly GridCategory[];
  /** The only plan to show, or empty for all plans with data. */
  plan: string;
  inventory: readonly InventoryLane[];
  rates: readonly RateLane[];
  include: ReadonlySet<string>;
  /** The codes of the retired rate plans. */
  retired: ReadonlySet<string>;
  dates: SaleDates;
};

export function rateRows(lanes: RateLanes): RateRow[] {
  const inventory = Map.groupBy(lanes.inventory, (lane) => lane.category);
  const rates = Map.groupBy(lanes.rates, (lane) => lane.category);
  return lanes.categories.flatMap((category) => {
    const all = rates.get(category.code) ?? [];
    const generalNights = all.find(({ lane }) => lane === "")?.nights;
    const own = { ...lanes.dates, inactive: category.inactive, inventory: inventory.get(category.code) ?? [], general: generalNights };
    const countedNights = decideCategoryNights(own);
    return shownLanes(category.code, all, lanes).map((lane) => ({
      category,
      plan: lane.lane,
      counted: countedNights,
      nights: decidePlanNights(own, {
        lane,
        category: countedNights,
        guests: category.standardOccupancy,
        isRetired: lanes.retired.has(lane.lane),
      }),
    }));
  });
}

function shownLanes(category: string, all: readonly RateLane[], { plan, dates, include }: RateLanes): RateLane[] {
  const isIncluded = ({ lane }: RateLane) => include.has(laneName({ kind: "rate", category, lane }));
  const includedLanes = all.filter((lane) => (plan === "" ? lane.nights.some(hasReceivedValues) || isIncluded(lane) : lane.lane === plan));
  return includedLanes.length === 0 ? [rateLane(emptyLane(category, plan), dates.count)] : includedLanes.toSorted(compareLanes);
}
