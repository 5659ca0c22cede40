import { compareLanes, type InventoryLane, type RateLane } from "../../calendar/night-values.ts";
import {
  decideCategoryNights,
  type CountedNight,
  decidePlanNights,
  type PricedNight,
  decideRoomNights,
  type SaleDates,
} from "../../calendar/sale.ts";
import type { GridCategory } from "../../grid/context.ts";

/** One row of inventory: a category, one of its physical rooms, or a rate plan's allotment. */
export type InventoryRow =
  | { type: "category" | "room"; category: GridCategory; code: string; nights: readonly CountedNight[] }
  | { type: "allotment"; category: GridCategory; code: string; nights: readonly PricedNight[] };

export type InventoryLanes = {
  categories: readonly GridCategory[];
  inventory: readonly InventoryLane[];
  /** Allotments and restrictions of rate plans that have an allotment. */
  allotments: readonly RateLane[];
  /** Rates without a rate plan, which may close the category. */
  general: readonly RateLane[];
  /** The codes of the retired rate plans. */
  retired: ReadonlySet<string>;
  dates: SaleDates;
};

export function inventoryRows(lanes: InventoryLanes): InventoryRow[] {
  const inventory = Map.groupBy(lanes.inventory, ({ category }) => category);
  const allotments = Map.groupBy(lanes.allotments, ({ category }) => category);
  const generalNights = new Map(lanes.general.map(({ category, nights }) => [category, nights]));
  return lanes.categories.flatMap((category): InventoryRow[] => {
    const { code, inactive } = category;
    const receivedLanes = inventory.get(code) ?? [];
    const own = { ...lanes.dates, inactive, inventory: receivedLanes, general: generalNights.get(code) };
    const rooms = receivedLanes.filter(({ lane }) => lane !== "").toSorted(compareLanes);
    const plans = (allotments.get(code) ?? []).toSorted(compareLanes);
    const nights = decideCategoryNights(own);
    return [
      { type: "category", category, code, nights },
      ...rooms.map((room) => ({ type: "room" as const, category, code: room.lane, nights: decideRoomNights(own, room) })),
      ...plans.map((lane) => ({
        type: "allotment" as const,
        category,
        code: lane.lane,
        nights: decidePlanNights(own, { lane, category: nights, guests: undefined, isRetired: lanes.retired.has(lane.lane) }),
      })),
    ];
  });
}
