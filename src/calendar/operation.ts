import type { Group, Kind, Values } from "./attributes.ts";
import type { LaneKey } from "./lane.ts";
import type { Night } from "./night.ts";

/** Weekdays as bits: Monday 1, Tuesday 2, Sunday 64. */
export type DayMask = number;
export const EVERY_DAY: DayMask = 127;

/** `first` and `last` are included; `days` selects weekdays. */
export type Assign = LaneKey & {
  type: "assign";
  first: Night;
  last: Night;
  days: DayMask;
  group: Group;
  /**
   * `true` first clears the other attributes of the group on these nights. `older` clears only values from before the message, so that
   * the lines of a message add up. `false` clears only amounts in another currency or on another basis.
   */
  replace: boolean | "older";
  values: Values;
};

/** Without `category` or `lane` it clears all of them, without `to` all later nights. */
export type Clear = {
  type: "clear";
  kind: Kind;
  groups: readonly Group[];
  category?: string;
  lane?: string;
  from: Night;
  to?: Night;
};

export type Operation = Assign | Clear;
