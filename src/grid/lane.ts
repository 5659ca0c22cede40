import type { InventoryNight, RateNight } from "../calendar/view.ts";

/** The nights of one lane, one record for each day of a grid. */
export type Lane<T> = {
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  nights: readonly T[];
};

export type InventoryLane = Lane<InventoryNight>;
export type RateLane = Lane<RateNight>;

/** By code, the lane without one first. */
export function byLane(a: { lane: string }, b: { lane: string }): number {
  return a.lane < b.lane ? -1 : Number(a.lane > b.lane);
}
