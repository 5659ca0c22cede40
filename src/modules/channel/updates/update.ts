import { ALL_GROUPS, type Group, findGroup, type Tax, type Values } from "../../../calendar/attributes.ts";
import type { Night } from "../../../calendar/night.ts";
import { type Assign, type DayMask, EVERY_DAY } from "../../../calendar/operation.ts";
import type { CompleteSet } from "../../../journal/work.ts";
import type { Narrowing } from "../elements/narrowing.ts";
import type { HotelReference } from "../message.ts";
import type { Place } from "../report.ts";
import type { DecimalPlaces } from "./money.ts";

/** Nights from `first` to `last`, inclusive, on the weekdays in `days`. */
export type Range = Readonly<{ first: Night; last: Night; days: DayMask }>;

/** Wider than any range that can be stored. */
export const ALL_NIGHTS: Range = { first: -1_000_000, last: 10_000_000, days: EVERY_DAY };

/** The target of an update. Without a category, it applies to `categories`, or to all categories if there are none. */
export type Target = {
  category: string | undefined;
  room: string | undefined;
  plan: string | undefined;
  /** The sender named the whole hotel. Without a category, counts above 0 are then a total, which can't be stored for any category. */
  wholeHotel: boolean;
  /** Use the only category for which the plan is stored. Set only without a category. */
  isOnlyCategory?: true;
  categories?: readonly NamedCategory[];
};

export type NamedCategory = { category: string; at: Place };

/** A line in a message. Sets attributes on a target's nights. */
export type Update = {
  at: Place;
  target: Target;
  /** Other limits on the line, such as `InvBlockCode`. Nights can't be stored in such detail; see `narrowing.ts`. */
  narrowedBy: readonly Narrowing[];
  /** If absent, only the codes are checked. */
  nights: Range | undefined;
  /** `undefined` clears an attribute. */
  set: Values;
  /** The kind of the stay limits in `set`, if any. */
  stays?: ParsedStays;
  amounts?: AmountsUpdate;
};

export type ArrivalLimit = "minStayArrival" | "maxStayArrival";
export const THROUGH_LIMITS = { minStayArrival: "minStayThrough", maxStayArrival: "maxStayThrough" } as const;

/** How the sender marked the kind of a line's stay limits. */
export type ParsedStays = {
  /** Whether any limits are marked as arrival-based. */
  byArrival: boolean;
  /** Limits without a mark. They are initially set as arrival-based. */
  unmarked: ReadonlySet<ArrivalLimit>;
};

export const NOT_NARROWED: Narrowing[] = [];

/** Amounts become attributes only in the decision, because their currency may default to the property's. */
export type AmountsUpdate = {
  /** Rates for the same nights. An empty list removes the amounts. */
  rates: readonly Rate[];
  replace: Assign["replace"];
  /** Whether it repeats part of an earlier update, to override the updates in between. */
  isRepeated?: boolean;
  /** Whether to remove the target's other amounts between its first and last night in the message. */
  replacesRange?: boolean;
};

export type Rate = {
  at: Place;
  /** The length of stay that the amounts are for. Default: 1. */
  stay: number | undefined;
  amounts: readonly ParsedAmount[];
  extras: readonly ParsedExtra[];
  currency: string | undefined;
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
};

export type ParsedAmount = {
  at: Place;
  /** `property` means the property's default. */
  tax: Tax | "property";
  /** 0 means the whole room. */
  guests: number;
  /** OpenTravel age qualifying code. */
  age: number;
  minAge: number | undefined;
  maxAge: number | undefined;
  field: string;
  text: string;
  currency: string | undefined;
  decimalPlaces: DecimalPlaces;
};

export type ParsedExtra = ParsedAmount & { tax: Tax; maxGuests: number | undefined };

export function groupsIn(set: Values): readonly Group[] {
  let first: Group | undefined;
  for (const attribute of set.keys()) {
    const group = findGroup(attribute)!;
    if (first !== undefined && group !== first) return [...new Set([...set.keys()].map((one) => findGroup(one)!))];
    first = group;
  }
  return first === undefined ? [] : ONE_GROUP.get(first)!;
}

/** Shared, because nearly every update sets only one group. */
const ONE_GROUP: ReadonlyMap<Group, readonly Group[]> = new Map(ALL_GROUPS.map((group) => [group, [group]]));

export type UpdateMessage = {
  hotel: HotelReference;
  /** Number of lines, for the log. */
  lines: number;
  updates: readonly Update[];
  /** Groups that a complete set clears from today onward. */
  replaces: readonly Group[] | undefined;
  /** Which complete set to request from an AlpineBits sender if its last one is too old. */
  dueSet: CompleteSet | undefined;
};
