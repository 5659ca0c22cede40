import type { Group, PageKind, AttributeMap } from "./attributes.ts";
import type { LaneKey } from "./lane.ts";
import type { Night } from "./night.ts";

/** Weekdays as bits: Monday 1, Tuesday 2, Sunday 64. */
export type DayMask = number;
export const EVERY_DAY: DayMask = 127;

/** Sets values on the nights from `first` to `last` (inclusive) that fall on the weekdays in `days`. */
export type AssignOperation = LaneKey & {
  type: "assign";
  first: Night;
  last: Night;
  days: DayMask;
  group: Group;
  /**
   * `true` clears the group's other attributes on these nights. `older` clears only values from earlier messages, so that several lines in
   * one message can set different attributes. `false` clears only amounts in a different currency or on a different basis.
   */
  replace: boolean | "older";
  values: AttributeMap;
};

/** Clears all categories if `category` is absent, all lanes if `lane` is absent, and all later nights if `to` is absent. */
export type ClearOperation = {
  type: "clear";
  kind: PageKind;
  groups: readonly Group[];
  category?: string;
  lane?: string;
  from: Night;
  to?: Night;
};

export type Operation = AssignOperation | ClearOperation;
