import type { Group, Kind, Values } from "./attributes.ts";
import type { Night } from "./night.ts";

/** Bits of the weekdays a range applies to: Monday 1, Tuesday 2, ... Sunday 64; 127 is every day. */
export type DayMask = number;
export const EVERY_DAY: DayMask = 127;

/** Sets attributes of one group on every night from `first` to `last`, both included, whose weekday is in `days`. */
export type Assign = {
  type: "assign";
  kind: Kind;
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  first: Night;
  last: Night;
  days: DayMask;
  group: Group;
  /**
   * `true` first clears the other attributes of the group on these nights. `older` clears only what was stored before the message, so
   * that several lines add up. `false` clears only amounts in another currency or on another basis.
   */
  replace: boolean | "older";
  values: Values;
};

/** Clears whole groups from the night `from` on; without `category` or `lane` in all of them. */
export type Clear = {
  type: "clear";
  kind: Kind;
  groups: readonly Group[];
  category?: string;
  lane?: string;
  from: Night;
  /** Last night that is cleared; absent: without end. */
  to?: Night;
};

export type Operation = Assign | Clear;
