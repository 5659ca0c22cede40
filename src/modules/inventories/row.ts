import { byLane, categoryNights, type CountNight, type InventoryLane, type RateLane, type Setters } from "../../calendar/night-values.ts";
import type { GridCategory } from "../../grid/context.ts";

/** One row of inventory: a category, one of its physical rooms, or the allotment of a rate plan. */
export type InventoryRow =
  | { type: "category" | "room"; category: GridCategory; code: string; nights: readonly CountNight[] }
  | { type: "allotment"; category: GridCategory; code: string; nights: readonly AllotmentNight[] };

export type AllotmentNight = { allotment: number | undefined; setters: Setters };

export type InventoryLanes = {
  categories: readonly GridCategory[];
  inventory: readonly InventoryLane[];
  allotments: readonly RateLane[];
  /** Rates without a rate plan, which may close the category. */
  general: readonly RateLane[];
  count: number;
};

export function inventoryRows(lanes: InventoryLanes): InventoryRow[] {
  const inventory = Map.groupBy(lanes.inventory, ({ category }) => category);
  const allotments = Map.groupBy(lanes.allotments, ({ category }) => category);
  const general = new Map(lanes.general.map(({ category, nights }) => [category, nights]));
  return lanes.categories.flatMap((category): InventoryRow[] => {
    const own = inventory.get(category.code) ?? [];
    const rooms = own.filter(({ lane }) => lane !== "").toSorted(byLane);
    const plans = (allotments.get(category.code) ?? []).toSorted(byLane);
    const nights = categoryNights({ inventory: own, general: general.get(category.code), count: lanes.count });
    return [
      { type: "category", category, code: category.code, nights },
      ...rooms.map((room) => ({ type: "room" as const, category, code: room.lane, nights: room.nights })),
      ...plans.map((plan) => ({ type: "allotment" as const, category, code: plan.lane, nights: plan.nights })),
    ];
  });
}
