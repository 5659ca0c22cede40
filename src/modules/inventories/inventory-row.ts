import type { GridCategory } from "../../grid/grid-scene.ts";
import { byLane, emptyLane, type InventoryLane, inventoryLane, type InventoryNight, type RateLane } from "../../grid/lane.ts";

/** A night of a category; `summed`: its count is the sum of the category's single rooms. */
export type CountNight = InventoryNight & { summed?: boolean };

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
  /** Rate lanes, for their allotments. */
  rates: readonly RateLane[];
  /** Number of nights. */
  count: number;
};

/** A row for every category, followed by its rooms and its allotments where there are any. */
export function inventoryRows(lanes: InventoryLanes): InventoryRow[] {
  const inventory = Map.groupBy(lanes.inventory, (lane) => lane.category);
  const rates = Map.groupBy(lanes.rates, (lane) => lane.category);
  return lanes.categories.flatMap((category) => {
    const own = inventory.get(category.code) ?? [];
    return [...countRows(category, own, lanes.count), ...allotmentRows(category, rates.get(category.code) ?? [])];
  });
}

/** The nights of a category; where it has no count of its own, the sum of its single rooms. */
export function categoryNights(lanes: readonly InventoryLane[], count: number): readonly CountNight[] {
  const own = (lanes.find((lane) => lane.lane === "") ?? inventoryLane(emptyLane("", ""), count)).nights;
  const rooms = lanes.filter((lane) => lane.lane !== "");
  return rooms.length === 0 ? own : own.map((night, index) => (night.available === undefined ? withSum(night, rooms, index) : night));
}

function countRows(category: GridCategory, lanes: readonly InventoryLane[], count: number): InventoryRow[] {
  const rooms = lanes.filter((lane) => lane.lane !== "").toSorted(byLane);
  return [
    { type: "category", category, code: category.code, nights: categoryNights(lanes, count) },
    ...rooms.map((lane) => ({ type: "room" as const, category, code: lane.lane, nights: lane.nights })),
  ];
}

function allotmentRows(category: GridCategory, lanes: readonly RateLane[]): InventoryRow[] {
  return lanes
    .filter(({ nights }) => nights.some(({ allotment }) => allotment !== undefined))
    .toSorted(byLane)
    .map(({ lane, nights }) => ({
      type: "allotment",
      category,
      code: lane,
      nights: nights.map(({ allotment, setters }) => ({ allotment, message: setters.allotment })),
    }));
}

function withSum(night: CountNight, rooms: readonly InventoryLane[], index: number): CountNight {
  const known = rooms.map((room) => room.nights[index]!).filter((room) => room.available !== undefined);
  if (known.length === 0) return night;
  const available = known.reduce((sum, room) => sum + room.available!, 0);
  return { ...night, available, summed: true, setters: { ...night.setters, counts: known.at(-1)!.setters.counts } };
}
