import { emptyLane, type InventoryLane, inventoryLane, type InventoryNight } from "./lane.ts";

/** A night of a category; `summed`: its count is the sum of the category's single rooms. */
export type CountNight = InventoryNight & { summed?: boolean };

/** The nights of a category; where it has no count of its own, the sum of its single rooms. */
export function categoryNights(lanes: readonly InventoryLane[], count: number): readonly CountNight[] {
  const own = (lanes.find((lane) => lane.lane === "") ?? inventoryLane(emptyLane("", ""), count)).nights;
  const rooms = lanes.filter((lane) => lane.lane !== "");
  return rooms.length === 0 ? own : own.map((night, index) => (night.available === undefined ? withSum(night, rooms, index) : night));
}

function withSum(night: CountNight, rooms: readonly InventoryLane[], index: number): CountNight {
  const known = rooms.map((room) => room.nights[index]!).filter((room) => room.available !== undefined);
  if (known.length === 0) return night;
  const available = known.reduce((sum, room) => sum + room.available!, 0);
  return { ...night, available, summed: true, setters: { ...night.setters, counts: known.at(-1)!.setters.counts } };
}
