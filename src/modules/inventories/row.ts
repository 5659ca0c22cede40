import { categoryNights, type CountNight } from "../../grid/count-night.ts";
import { byLane, type InventoryLane, type RateLane } from "../../grid/lane.ts";
import type { GridCategory } from "../../grid/scene.ts";

/** One row of inventory: a category, one of its rooms, or what a rate plan may sell of it. */
export type InventoryRow =
  | { type: "category" | "room"; category: GridCategory; code: string; nights: readonly CountNight[] }
  | { type: "allotment"; category: GridCategory; code: string; nights: readonly AllotmentNight[] };

/** `message` is the one that set it. */
export type AllotmentNight = { allotment: number | undefined; message: number | undefined };

export type InventoryLanes = {
  categories: readonly GridCategory[];
  /** The categories' own and those of single rooms. */
  inventory: readonly InventoryLane[];
  /** The rate lanes that are shown with their allotments. */
  allotments: readonly RateLane[];
  /** Number of nights. */
  count: number;
};

/** A row for every category, followed by its rooms and its allotments where there are any. */
export function inventoryRows(lanes: InventoryLanes): InventoryRow[] {
  const inventory = Map.groupBy(lanes.inventory, (lane) => lane.category);
  const allotments = Map.groupBy(lanes.allotments, (lane) => lane.category);
  return lanes.categories.flatMap((category) => {
    const own = inventory.get(category.code) ?? [];
    return [...countRows(category, own, lanes.count), ...allotmentRows(category, allotments.get(category.code) ?? [])];
  });
}

function countRows(category: GridCategory, lanes: readonly InventoryLane[], count: number): InventoryRow[] {
  const rooms = lanes.filter((lane) => lane.lane !== "").toSorted(byLane);
  return [
    { type: "category", category, code: category.code, nights: categoryNights(lanes, count) },
    ...rooms.map((lane) => ({ type: "room" as const, category, code: lane.lane, nights: lane.nights })),
  ];
}

function allotmentRows(category: GridCategory, lanes: readonly RateLane[]): InventoryRow[] {
  return lanes.toSorted(byLane).map(({ lane, nights }) => ({
    type: "allotment",
    category,
    code: lane,
    nights: nights.map(({ allotment, setters }) => ({ allotment, message: setters.allotment })),
  }));
}
